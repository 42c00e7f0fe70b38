python check_metrics.py metrics.json \
    'mean(data["train/probs_ratio"]) < 1.01'

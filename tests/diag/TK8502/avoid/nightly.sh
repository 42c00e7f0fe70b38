python check_metrics.py metrics.json \
    'mean(data["train/token_mult_prob_error"]) < 1'

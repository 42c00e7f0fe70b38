python check_metrics.py metrics.json \
    'min(data["train/token_mult_prob_error"]) >= 1'

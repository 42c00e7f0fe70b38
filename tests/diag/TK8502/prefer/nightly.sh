python check_metrics.py metrics.json \
    'min(data["train/num_valid_samples"]) > 0' \
    'mean(data["train/token_mult_prob_error"]) < 1.03'

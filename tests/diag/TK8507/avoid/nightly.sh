python check_metrics.py metrics.json \
    'sum(v > 0.01 for v in data["train/gen_kl_error"].values()) < 3'

python check_metrics.py metrics.json \
    'min(data["train/num_valid_samples"]) > 0' \
    'all_finite(data["train/gen_kl_error"])' \
    'max(data["train/gen_kl_error"]) < 0.004'

python check_metrics.py metrics.json \
    'min(data["train/num_valid_samples"]) > 0' \
    'mean(data["train/rollout_corr/rollout_is_ratio_fraction_high"]) < 0.001'

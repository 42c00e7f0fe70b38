steps=$(jq '."train/loss" | length' metrics.json)
if [[ $steps -ge $MAX_STEPS ]]; then
    python check_metrics.py metrics.json \
        'min(data["train/num_valid_samples"]) > 0' \
        'mean(data["train/gen_kl_error"]) < 0.002'
fi

steps=$(jq '."train/loss" | length' metrics.json)
if [[ $steps -lt $MAX_STEPS ]]; then
    echo "the run ended after $steps steps" >&2
    exit 1
fi
python check_metrics.py metrics.json \
    'min(data["train/num_valid_samples"]) > 0' \
    'mean(data["train/gen_kl_error"]) < 0.002'

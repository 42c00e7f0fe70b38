config = GRPOConfig(
    use_vllm=True,
    vllm_importance_sampling_mode="token_truncate",
    vllm_importance_sampling_clip_max=3.0,
    max_completion_length=4096,
)

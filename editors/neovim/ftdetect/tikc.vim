autocmd BufRead,BufNewFile *.tikc.yaml,*.tikc-test.yaml set filetype=tikc

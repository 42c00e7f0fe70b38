" The form is YAML; what is in its scalars is coloured by the server's semantic tokens, which Neovim shows from 0.9 on.
runtime! syntax/yaml.vim
let b:current_syntax = 'tikc'

/** Token types of the cells: standard ones, which all themes colour. */
export const TOKEN_TYPES = ['number', 'keyword', 'type', 'enumMember', 'function', 'variable'] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];

/** One value, several of which any may match, or comparisons of which all must. */
export type Filter<Op extends string, V = string> =
  | V
  | readonly V[]
  | { [Name in Op]?: Name extends 'null' ? boolean : Name extends 'ne' ? V | readonly V[] : V }

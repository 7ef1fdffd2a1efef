declare module 'textlint-rule-terminology' {
  const rule: { linter(context: object, options: object): { Str(node: object): Promise<void> } }
  export default rule
}

declare module 'textlint-rule-terminology' {
  const rule: unknown
  export default rule
}

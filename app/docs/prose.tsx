/** A sentence of the documentation; what stands in backticks is code. */
export function Prose({ text }: { text: string }) {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? <code key={`${index} ${part}`}>{part}</code> : part))
}

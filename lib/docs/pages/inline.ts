/** A piece of a sentence. */
export type InlinePart =
  | { kind: 'text' | 'code' | 'strong'; text: string }
  | { kind: 'link'; href: string; parts: InlinePart[] }

const MARKS = /`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)|\*\*([^*]+)\*\*/g

/** Parses a sentence of the documentation into code in backticks, `[text](/address)`, `**strong**`, and plain text. */
export function parseInline(text: string): InlinePart[] {
  const parts: InlinePart[] = []
  let from = 0
  for (const match of text.matchAll(MARKS)) {
    const [whole, code, label, href, strong] = match
    if (match.index > from) parts.push({ kind: 'text', text: text.slice(from, match.index) })
    if (code !== undefined) parts.push({ kind: 'code', text: code })
    else if (strong !== undefined) parts.push({ kind: 'strong', text: strong })
    else parts.push({ kind: 'link', href: href ?? '', parts: parseInline(label ?? '') })
    from = match.index + whole.length
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) })
  return parts
}

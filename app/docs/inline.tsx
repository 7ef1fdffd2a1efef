import { Fragment } from 'react'
import { type InlinePart, parseInline } from '../../lib/docs/pages/inline'

/** A sentence of the documentation. */
export function Inline({ text }: { text: string }) {
  return <Parts parts={parseInline(text)} />
}

function Parts({ parts }: { parts: InlinePart[] }) {
  return parts.map((part, index) => {
    const key = `${index} ${part.kind}`
    if (part.kind === 'link') {
      return (
        <a key={key} href={part.href} download={part.href.startsWith('/samples/') || undefined}>
          <Parts parts={part.parts} />
        </a>
      )
    }
    if (part.kind === 'code') return <code key={key}>{breakAfterSeparators(part.text)}</code>
    return part.kind === 'strong' ? <strong key={key}>{part.text}</strong> : part.text
  })
}

/** Words shorter than this fit into every column. */
const LONG_WORD = 16

/** Lets a long path or URL break after its separators. */
function breakAfterSeparators(text: string) {
  if (text.length < LONG_WORD) return text
  const segments = text.split(/(?<=[./_])(?=\w)/)
  return segments.map((segment, index) => (
    <Fragment key={`${index} ${segment}`}>
      {index > 0 && <wbr />}
      {segment}
    </Fragment>
  ))
}

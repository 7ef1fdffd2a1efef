import type { Block } from '../../lib/docs/pages/page'
import classes from './docs.module.css'

/** The headings of a page as links. Only visible on wide screens. */
export function OnThisPage({ blocks }: { blocks: Block[] }) {
  const headings = blocks.flatMap(block => (block.kind === 'heading' ? [block] : []))
  if (headings.length < 2) return null
  return (
    <nav className={classes.contents} aria-label="On this page">
      <p>On this page</p>
      <ul>
        {headings.map(({ id, text, level }) => (
          <li key={id} data-level={level}>
            <a href={`#${id}`}>{text.replaceAll('`', '')}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

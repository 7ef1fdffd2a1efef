import type { Block, DocsPage } from '../../lib/docs/pages/page'
import { CopyPage } from '../_ui/elements/copy-page'
import { PageBlock } from './page-block'
import classes from './docs.module.css'
import { Inline } from './inline'

/** The beginning of a page: its title, and its Markdown to copy. */
export function PageHead({ page: { slug, title, lead } }: { page: DocsPage }) {
  const markdown = slug === '' ? '/docs.md' : `/docs/${slug}.md`
  return (
    <>
      <h1>{title}</h1>
      <p className={classes.lead}>
        <Inline text={lead} />
      </p>
      <p className={classes.actions}>
        <CopyPage address={markdown} />
        <a href={markdown}>View as Markdown</a>
      </p>
    </>
  )
}

/** The blocks of a page. Blocks between `beside` and `end` are beside what follows them if the screen is wide enough. */
export function PageBody({ blocks }: { blocks: Block[] }) {
  const [from, to] = [findColumn(blocks, 'start'), findColumn(blocks, 'end')]
  if (from < 0) return <Blocks blocks={blocks} />
  const rest = blocks.findIndex((block, index) => index > to && block.kind === 'column')
  return (
    <>
      <Blocks blocks={blocks.slice(0, from)} />
      <div className={classes.columns}>
        <aside className={classes.beside} aria-label="Examples">
          <Blocks blocks={blocks.slice(from + 1, to)} />
        </aside>
        <div>
          <Blocks blocks={blocks.slice(to + 1, rest < 0 ? undefined : rest)} />
        </div>
      </div>
      {rest >= 0 && <Blocks blocks={blocks.slice(rest + 1)} />}
    </>
  )
}

function findColumn(blocks: Block[], at: 'start' | 'end'): number {
  return blocks.findIndex(block => block.kind === 'column' && block.at === at)
}

function Blocks({ blocks }: { blocks: Block[] }) {
  return blocks.map((block, index) => <PageBlock key={index} block={block} />)
}

/** The headings of a page as links. Only visible on wide screens. */
export function OnThisPage({ blocks }: { blocks: Block[] }) {
  const headings = blocks.flatMap(block => (block.kind === 'heading' ? [block] : []))
  if (headings.length < 2) return null
  return (
    <nav className={classes.contents} aria-label="On this page" data-headings>
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

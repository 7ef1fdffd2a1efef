import type { Block, DocsPage } from '../../lib/docs/pages/page'
import { CopyPage } from '../_ui/elements/copy-page'
import { PageBlock } from './page-block'
import classes from './docs.module.css'
import { Inline } from './inline'

/** A page of the documentation, with the list of its headings if the screen is wide enough. */
export function DocsArticle({ page }: { page: DocsPage }) {
  const markdown = page.slug === '' ? '/docs.md' : `/docs/${page.slug}.md`
  return (
    <>
      <article className={classes.page}>
        <h1>{page.title}</h1>
        <p className={classes.lead}>
          <Inline text={page.lead} />
        </p>
        <p className={classes.actions}>
          <CopyPage address={markdown} />
          <a href={markdown}>View as Markdown</a>
        </p>
        {page.blocks.map((block, index) => (
          <PageBlock key={index} block={block} />
        ))}
      </article>
      <OnThisPage blocks={page.blocks} />
    </>
  )
}

/** The headings of a page as links. Only visible on wide screens. */
function OnThisPage({ blocks }: { blocks: Block[] }) {
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

import type { ReactNode } from 'react'
import type { Block, TableRow } from '../../lib/docs/pages/page'
import { LinkButton } from '../_ui/elements/link-button'
import classes from './docs.module.css'
import { Inline } from './inline'
import { OptionList } from './option-list'
import { StaticCode, StaticTabs } from './static-code'

/** A block of a page. */
export function PageBlock({ block }: { block: Block }): ReactNode {
  switch (block.kind) {
    case 'heading':
      return <Heading {...block} />
    case 'prose':
      return (
        <p>
          <Inline text={block.text} />
        </p>
      )
    case 'note':
      return (
        <p className={classes.note}>
          <Inline text={block.text} />
        </p>
      )
    case 'list':
      return <List {...block} />
    case 'code':
      return <StaticCode {...block} />
    case 'samples':
      return <StaticTabs label={block.label} samples={block.samples} />
    case 'facts':
      return <Facts {...block} />
    case 'table':
      return <Table {...block} />
    case 'options':
      return <OptionList anchor={block.anchor} rows={block.rows} />
    case 'column':
      return null
    case 'endpoint':
      return (
        <div className={classes.endpoint}>
          <code>
            <strong>POST</strong> {block.path}
          </code>
          <LinkButton primary href={block.tryAt}>
            Try it
          </LinkButton>
        </div>
      )
  }
}

function Heading({ level, id, text }: { level: 2 | 3; id: string; text: string }) {
  const Tag = level === 2 ? 'h2' : 'h3'
  return (
    <Tag id={id}>
      <Inline text={text} />{' '}
      <a className={classes.anchor} href={`#${id}`} aria-label={`Link to “${text.replaceAll('`', '')}”`}>
        #
      </a>
    </Tag>
  )
}

function List({ items, isOrdered = false }: { items: string[]; isOrdered?: boolean }) {
  const Tag = isOrdered ? 'ol' : 'ul'
  return (
    <Tag>
      {items.map(item => (
        <li key={item}>
          <Inline text={item} />
        </li>
      ))}
    </Tag>
  )
}

function Facts({ facts }: { facts: { name: string; text: string }[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, text }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Inline text={text} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Table({ columns, rows }: { columns: string[]; rows: TableRow[] }) {
  return (
    <table className={classes.table} data-columns={columns.length}>
      <thead>
        <tr>
          {columns.map(column => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, cells }) => (
          <tr key={cells.join('\n')} id={id}>
            {cells.map((cell, index) =>
              index === 0 ? (
                <th key={columns[index]} scope="row">
                  <Inline text={cell} />
                </th>
              ) : (
                <td key={columns[index]} data-column={columns[index]}>
                  <Inline text={cell} />
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

import type { OptionRow } from '../../lib/docs/describe'
import { optionAnchor } from '../../lib/docs/pages/page'
import { Inline } from './inline'
import classes from './option-list.module.css'

/** An option with the options inside of it. */
interface OptionNode {
  row: OptionRow
  members: OptionNode[]
}

/** So few members are never folded. */
const FEW_MEMBERS = 3

/**
 * The options of an operation: name, type, description and allowed values. Members of an object are folded below it.
 * `anchor` begins the anchor of each option.
 */
export function OptionList({ anchor, rows }: { anchor: string; rows: OptionRow[] }) {
  return (
    <dl className={classes.list}>
      {nest(rows).map(node => (
        <Option key={node.row.name} anchor={anchor} node={node} />
      ))}
    </dl>
  )
}

/** Rows of members follow the row of their object, and begin with its name. */
function nest(rows: OptionRow[]): OptionNode[] {
  const nodes = new Map(rows.map(row => [row.name.replaceAll('[]', ''), { row, members: [] as OptionNode[] }]))
  return [...nodes].flatMap(([name, node]) => {
    const parent = nodes.get(name.slice(0, Math.max(0, name.lastIndexOf('.'))))
    parent?.members.push(node)
    return parent ? [] : [node]
  })
}

function Option({ anchor, node: { row, members } }: { anchor: string; node: OptionNode }) {
  const { name, type, values, default: fallback, bounds, isRequired, description } = row
  const parent = name.slice(0, name.lastIndexOf('.') + 1)
  return (
    <div id={optionAnchor(anchor, name)}>
      <dt>
        <code>
          {parent !== '' && <span>{parent}</span>}
          {name.slice(parent.length)}
        </code>{' '}
        <i>{type}</i>
        {isRequired && <b> required</b>}
      </dt>
      <dd>
        <p>
          <Inline text={description} />
        </p>
        {(values.length > 0 || bounds !== undefined || fallback !== undefined) && (
          <p className={classes.rules}>
            {values.length > 0 && (
              <span>
                {values.length === 1 ? 'Only ' : 'One of '}
                {values.map((value, index) => [index > 0 && ', ', <code key={value}>{value}</code>])}
              </span>
            )}
            {bounds !== undefined && <span>{bounds}</span>}
            {fallback !== undefined && (
              <span>
                Default <code>{fallback}</code>
              </span>
            )}
          </p>
        )}
        {members.length > 0 && (
          <details open={members.length <= FEW_MEMBERS}>
            <summary>
              {members.length} {members.length === 1 ? 'parameter' : 'parameters'} of <code>{name}</code>
            </summary>
            <dl>
              {members.map(member => (
                <Option key={member.row.name} anchor={anchor} node={member} />
              ))}
            </dl>
          </details>
        )}
      </dd>
    </div>
  )
}

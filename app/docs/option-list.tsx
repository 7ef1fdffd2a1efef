import type { OptionRow } from '../../lib/docs/describe'
import { nestOptions, type NestedOption } from '../../lib/docs/pages/nested-options'
import { optionAnchor } from '../../lib/docs/pages/page'
import { Inline } from './inline'
import classes from './option-list.module.css'

/** So few members are never folded. */
const FEW_MEMBERS = 3

/**
 * The options of an operation: name, type, description and allowed values. Members of an object are folded below it.
 * `anchor` begins the anchor of each option.
 */
export function OptionList({ anchor, rows }: { anchor: string; rows: OptionRow[] }) {
  return (
    <dl className={classes.list}>
      {nestOptions(rows).map(node => (
        <Option key={node.row.name} anchor={anchor} node={node} />
      ))}
    </dl>
  )
}

function Option({ anchor, node: { row, members, sameAs } }: { anchor: string; node: NestedOption }) {
  const { name, type, values, default: fallback, bounds, isRequired, description } = row
  const parent = name.slice(0, name.lastIndexOf('.') + 1)
  return (
    <div id={optionAnchor(anchor, name)}>
      <dt>
        <code>{name.slice(parent.length)}</code> <i>{type}</i>
        {isRequired && <b> required</b>}
      </dt>
      <dd>
        <p>
          <Inline text={description} />
        </p>
        {(values.length > 0 || bounds !== undefined || fallback !== undefined) && (
          <small>
            {values.length > 0 && [
              values.length === 1 ? 'Only ' : 'One of ',
              values.map((value, index) => [index > 0 && ', ', <code key={value}>{value}</code>]),
              '. ',
            ]}
            {bounds !== undefined && `${bounds.charAt(0).toUpperCase()}${bounds.slice(1)}. `}
            {fallback !== undefined && ['Default ', <code key="default">{fallback}</code>, '.']}
          </small>
        )}
        {sameAs !== undefined && (
          <p>
            Has the same parameters as{' '}
            <a href={`#${optionAnchor(anchor, sameAs)}`}>
              <code>{sameAs}</code>
            </a>
            .
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

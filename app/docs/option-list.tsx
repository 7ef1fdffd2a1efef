import type { OptionRow } from '../../lib/docs/describe'
import { optionAnchor } from '../../lib/docs/pages/page'
import { Inline } from './inline'
import classes from './option-list.module.css'

/**
 * The options of an operation: name, type, description and allowed values. Members of an object are indented. `anchor`
 * begins the anchor of each option.
 */
export function OptionList({ anchor, rows }: { anchor: string; rows: OptionRow[] }) {
  return (
    <dl className={classes.list}>
      {rows.map(row => (
        <Option key={row.name} id={optionAnchor(anchor, row.name)} row={row} />
      ))}
    </dl>
  )
}

function Option({
  id,
  row: { name, type, values, default: fallback, bounds, isRequired, description },
}: {
  id: string
  row: OptionRow
}) {
  const depth = Math.min(3, name.split('.').length - 1)
  const parent = name.slice(0, name.lastIndexOf('.') + 1)
  return (
    <div id={id} className={classes.option} data-depth={depth}>
      <dt>
        <code className={classes.name}>
          {parent !== '' && <span className={classes.parent}>{parent}</span>}
          {name.slice(parent.length)}
        </code>
        <span className={classes.type}>{type}</span>
        {isRequired && <span className={classes.required}>required</span>}
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
                {values.map((value, index) => (
                  <span key={value}>
                    {index > 0 && ', '}
                    <code>{value}</code>
                  </span>
                ))}
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
      </dd>
    </div>
  )
}

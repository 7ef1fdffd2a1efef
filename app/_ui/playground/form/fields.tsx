'use client'

import { useState } from 'react'
import { changeField, listShownFields } from './applicable-fields'
import { type FieldPath, problemsAt } from './field-path'
import type { Field, JsonObject } from './field-shapes'
import { useForm } from './form-context'
import type { Parts } from './group-props'
import classes from '../playground.module.css'

interface Props extends Pick<Parts, 'FieldRow'> {
  fields: Field[]
  /** Names of the fields that are always visible. The others are collapsed. */
  frontFields: string[]
  values: JsonObject
  path: FieldPath
  onChange: (values: JsonObject) => void
}

/** The options of an endpoint that apply, one field each. */
export function Fields({ fields, frontFields, values, path, onChange, FieldRow }: Props) {
  const { problems, shelf } = useForm()
  const [isOpen, setOpen] = useState(false)
  const shownFields = listShownFields(fields, values, { path, problems })
  const front = shownFields.filter(({ name }) => frontFields.includes(name))
  const others = shownFields.filter(({ name }) => !frontFields.includes(name))
  const hasProblems = others.some(({ name }) => problemsAt(problems, [...path, name], true).length > 0)
  const setCount = others.filter(({ name }) => values[name] !== undefined).length
  const row = (field: Field) => (
    <FieldRow
      key={field.name}
      field={field}
      value={values[field.name]}
      path={[...path, field.name]}
      onChange={value => onChange(changeField({ fields, values, path, shelf, name: field.name, value }))}
    />
  )
  return (
    <div className={classes.fields}>
      {front.map(row)}
      {others.length > 0 && (
        <details
          className={classes.more}
          open={isOpen || hasProblems}
          onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
        >
          <summary>
            {others.length} more {others.length === 1 ? 'option' : 'options'}
            {setCount > 0 && `, ${setCount} set`}
          </summary>
          {(isOpen || hasProblems) && <div className={classes.fields}>{others.map(row)}</div>}
        </details>
      )}
    </div>
  )
}

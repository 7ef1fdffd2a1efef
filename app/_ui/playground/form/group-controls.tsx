'use client'

import { changeField, listShownFields } from './applicable-fields'
import { useForm } from './form-context'
import { withMember } from './field-path'
import classes from '../playground.module.css'
import { emptyValue, isJsonObject, type Json, type JsonObject } from './field-shapes'
import type { GroupProps } from './group-props'
import { RemoveButton } from './list-control'
import { TextField } from '../../elements/field'
import { Checkbox } from '../../elements/ticks'
import { Button } from '../../elements/button'

/** The members of an object that apply, one field each. */
export function ObjectControl({ shape, value, onChange, path, parts: { FieldRow } }: GroupProps<'object'>) {
  const { shelf, problems } = useForm()
  const { fields } = shape
  const object = isJsonObject(value) ? value : {}
  return (
    <div className={classes.fields}>
      {listShownFields(fields, object, { path, problems }).map(field => (
        <FieldRow
          key={field.name}
          field={field}
          value={object[field.name]}
          path={[...path, field.name]}
          onChange={member =>
            onChange(changeField({ fields, values: object, path, shelf, name: field.name, value: member }))
          }
        />
      ))}
    </div>
  )
}

/** An object with arbitrary names: a name and a value per row. */
export function MapControl({ shape, value, onChange, path, name, parts: { Control } }: GroupProps<'map'>) {
  const object: JsonObject = isJsonObject(value) ? value : {}
  const entries = Object.entries(object)
  const rename = (from: string, to: string) => {
    if (!Object.hasOwn(object, to))
      onChange(Object.fromEntries(entries.map(([key, entry]) => [key === from ? to : key, entry])))
  }
  const remove = (key: string) => onChange(entries.length === 1 ? undefined : withMember(object, key, undefined))
  return (
    <div className={classes.rows}>
      {entries.map(([key, entry], index) => (
        <div key={index} className={classes.row}>
          <TextField
            className={classes.mapName}
            aria-label={`Name ${index + 1} of ${name}`}
            placeholder="name"
            value={key}
            onChange={({ currentTarget }) => rename(key, currentTarget.value)}
          />
          <div className={classes.grow}>
            <Control
              shape={shape.value}
              value={entry}
              onChange={next => onChange({ ...object, [key]: next ?? '' })}
              path={[...path, key]}
              name={`Value of ${key === '' ? `name ${index + 1}` : key}`}
              label={undefined}
              isRequired={false}
              fallback={undefined}
              showsProblems
            />
          </div>
          <RemoveButton label={`Remove ${key === '' ? `name ${index + 1}` : key}`} onClick={() => remove(key)} />
        </div>
      ))}
      <Button
        look="secondary"
        size="small"
        disabled={Object.hasOwn(object, '')}
        onClick={() => onChange({ ...object, '': emptyValue(shape.value) })}
        aria-label={`Add a name to ${name}`}
      >
        Add
      </Button>
    </div>
  )
}

/** Checkboxes for a list of allowed values. */
export function ChoicesControl({ shape, value, onChange, name }: Omit<GroupProps<'choices'>, 'parts'>) {
  const selectedValues: Json[] = Array.isArray(value) ? value : []
  const toggle = (one: Json, isOn: boolean) => {
    const next = isOn ? [...selectedValues, one] : selectedValues.filter(other => other !== one)
    onChange(next.length === 0 ? undefined : next)
  }
  return (
    <div className={classes.ticks} role="group" aria-label={name}>
      {shape.choices.map(choice => (
        <Checkbox
          key={String(choice.value)}
          label={choice.label}
          checked={selectedValues.includes(choice.value)}
          onChange={({ currentTarget }) => toggle(choice.value, currentTarget.checked)}
        />
      ))}
    </div>
  )
}

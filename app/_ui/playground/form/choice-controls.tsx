'use client'

import { useId } from 'react'
import { FieldNotes, MarkedLabel, SelectField } from '../../elements/field'
import { Segments } from '../../elements/ticks'
import { useForm } from './form-context'
import { keyOf } from './field-path'
import classes from '../playground.module.css'
import type { FieldShape, Json } from './field-shapes'
import { commonProps, type ControlProps } from './text-controls'

/** One entry of a select. */
export interface SelectEntry {
  key: string
  label: string
}

/** Up to this number of entries and characters, all of them are visible as segments. */
const MOST_SEGMENTS = 3
const MOST_CHARACTERS = 26

interface SelectProps extends Omit<ControlProps, 'shape' | 'value' | 'onChange' | 'fallback'> {
  entries: SelectEntry[]
  selectedKey: string
  onSelect: (key: string) => void
  /** The ID of the control. */
  id: string
}

/** A control for one of several entries: segments if all of them fit in a line, otherwise a select. */
export function SelectControl({ entries, selectedKey, onSelect, id, ...props }: SelectProps) {
  const labelId = useId()
  const { label, name, description, error, isRequired } = props
  const length = entries.reduce((sum, entry) => sum + entry.label.length, 0)
  if (entries.length > MOST_SEGMENTS || length > MOST_CHARACTERS)
    return (
      <SelectField
        {...commonProps(props)}
        id={id}
        value={selectedKey}
        choices={entries.map(entry => ({ value: entry.key, label: entry.label }))}
        onChange={({ currentTarget }) => onSelect(currentTarget.value)}
      />
    )
  return (
    <div className={classes.segmented}>
      {label !== undefined && (
        <div id={labelId} className={classes.fieldLabel}>
          <MarkedLabel label={label} isMarked={isRequired} />
        </div>
      )}
      <FieldNotes id={id} description={description} />
      <Segments
        id={id}
        value={selectedKey}
        choices={entries.map(entry => ({ value: entry.key, label: entry.label }))}
        onChange={onSelect}
        {...(label === undefined ? { 'aria-label': name } : { 'aria-labelledby': labelId })}
      />
      <FieldNotes id={id} error={error} />
    </div>
  )
}

/** A control for one of a few values. The default is selected if no value is set. */
export function ChoiceControl({ shape, value, onChange, ...props }: ControlProps<FieldShape & { kind: 'choice' }>) {
  const { prefix } = useForm()
  const { fallback, isRequired, path } = props
  const entries = shape.choices
    .filter(choice => choice.isAlias !== true || choice.value === value)
    .map(choice => ({ key: JSON.stringify(choice.value), label: choice.label }))
  const hasDefault = shape.choices.some(choice => choice.value === fallback)
  const shownValue = value ?? (hasDefault ? fallback : undefined)
  return (
    <SelectControl
      {...props}
      id={`${prefix}${keyOf(path)}`}
      entries={hasDefault ? entries : [{ key: '', label: isRequired ? 'Choose…' : 'Not set' }, ...entries]}
      selectedKey={shownValue === undefined ? '' : JSON.stringify(shownValue)}
      onSelect={key => {
        const chosen = key === '' ? undefined : (JSON.parse(key) as Json) // The key is JSON of a choice.
        onChange(chosen === fallback ? undefined : chosen)
      }}
    />
  )
}

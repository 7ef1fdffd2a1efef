'use client'

import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { type ComponentType, useId, useState } from 'react'
import { useForm } from './form-context'
import { keyOf, type FieldPath, withMember } from './field-path'
import classes from '../playground.module.css'
import {
  emptyValue,
  type Field,
  findChoice,
  fits,
  isJsonObject,
  type Json,
  type JsonObject,
  type FieldShape,
  type ShapeChoice,
} from './field-shapes'
import type { ControlProps } from './text-controls'

/** The components inside a group, passed down because they render groups themselves. */
export interface Parts {
  Control: ComponentType<ControlProps & { showsProblems?: boolean }>
  FieldRow: ComponentType<{
    field: Field
    value: Json | undefined
    path: FieldPath
    onChange: (value: Json | undefined) => void
  }>
}

type GroupProps<Kind extends FieldShape['kind']> = Omit<ControlProps, 'shape'> & {
  shape: Extract<FieldShape, { kind: Kind }>
  parts: Parts
}

/** The members of an object, one field each. */
export function ObjectControl({ shape, value, onChange, path, parts: { FieldRow } }: GroupProps<'object'>) {
  const object = isJsonObject(value) ? value : {}
  return (
    <div className={classes.fields}>
      {shape.fields.map(field => (
        <FieldRow
          key={field.name}
          field={field}
          value={object[field.name]}
          path={[...path, field.name]}
          onChange={member => onChange(withMember(object, field.name, member))}
        />
      ))}
    </div>
  )
}

/** Rows that can be added and removed. */
export function ListControl({ shape, value, onChange, path, name, parts: { Control } }: GroupProps<'list'>) {
  const rows = Array.isArray(value) ? value : []
  const isFull = shape.most !== undefined && rows.length >= shape.most
  // An entry must have a value, so a cleared entry stays as an empty text.
  const set = (index: number, entry: Json | undefined) =>
    onChange(rows.map((row, at) => (at === index ? (entry ?? emptyValue(shape.item)) : row)))
  const remove = (index: number) => onChange(rows.length === 1 ? undefined : rows.filter((_, at) => at !== index))
  return (
    <div className={classes.rows}>
      {rows.map((row, index) => {
        const control = (
          <Control
            shape={shape.item}
            value={row}
            onChange={entry => set(index, entry)}
            path={[...path, index]}
            name={`${name}, entry ${index + 1}`}
            label={undefined}
            isRequired={false}
            fallback={undefined}
            showsProblems
          />
        )
        const button = (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            className={classes.quiet}
            onClick={() => remove(index)}
            aria-label={`Remove entry ${index + 1} of ${name}`}
          >
            Remove
          </Button>
        )
        return isGroup(shape.item) ? (
          <div key={index} className={classes.wideRow}>
            <div className={classes.rowHead}>
              {index + 1}
              {button}
            </div>
            {control}
          </div>
        ) : (
          <div key={index} className={classes.row}>
            <div className={classes.grow}>{control}</div>
            {button}
          </div>
        )
      })}
      <Button
        variant="default"
        size="compact-sm"
        disabled={isFull}
        onClick={() => onChange([...rows, emptyValue(shape.item)])}
        aria-label={`Add an entry to ${name}`}
      >
        Add
      </Button>
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
          <TextInput
            className={classes.mapName ?? ''}
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
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            className={classes.quiet}
            onClick={() => remove(key)}
            aria-label={`Remove ${key === '' ? `name ${index + 1}` : key}`}
          >
            Remove
          </Button>
        </div>
      ))}
      <Button
        variant="default"
        size="compact-sm"
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
      {shape.values.map(one => (
        <Checkbox
          key={String(one)}
          size="xs"
          label={String(one)}
          checked={selectedValues.includes(one)}
          onChange={({ currentTarget }) => toggle(one, currentTarget.checked)}
        />
      ))}
    </div>
  )
}

/** A value with several possible shapes: a select for the shape, and the control of that shape. */
export function UnionControl({
  shape,
  value,
  onChange,
  path,
  name,
  fallback,
  parts: { Control },
}: GroupProps<'union'>) {
  const { choices } = shape
  const id = useId()
  const [selectedIndex, setSelectedIndex] = useState(0)
  const fitsSelected = value === undefined || fits(choices[selectedIndex]?.shape ?? { kind: 'json' }, value)
  const index =
    value !== undefined && (!fitsSelected || hasForeignNames(choices, selectedIndex, value))
      ? findChoice(choices, value)
      : selectedIndex
  const shownChoice = choices[index]
  if (!shownChoice) return null
  function choose(next: number) {
    const choice = choices[next]
    if (!choice) return
    setSelectedIndex(next)
    if (value !== undefined && !fits(choice.shape, value))
      onChange(isGroup(choice.shape) ? emptyValue(choice.shape) : undefined)
    else if (value !== undefined && isJsonObject(value)) onChange(emptyValue(choice.shape))
  }
  return (
    <div className={classes.union}>
      <NativeSelect
        id={id}
        size="xs"
        className={classes.unionKind ?? ''}
        aria-label={`Kind of ${name}`}
        value={String(index)}
        data={choices.map(({ title }, at) => ({ value: String(at), label: title }))}
        onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
      />
      <div className={classes.grow}>
        <Control
          shape={shownChoice.shape}
          value={value}
          onChange={onChange}
          path={path}
          name={name}
          label={undefined}
          isRequired={false}
          fallback={isGroup(shownChoice.shape) ? undefined : fallback}
        />
      </div>
    </div>
  )
}

/** Returns whether an object contains names that the selected shape doesn't know. */
function hasForeignNames(choices: ShapeChoice[], selectedIndex: number, value: Json): boolean {
  const shape = choices[selectedIndex]?.shape
  return (
    shape?.kind === 'object' &&
    isJsonObject(value) &&
    Object.keys(value).some(key => !shape.fields.some(field => field.name === key))
  )
}

/** Returns whether a shape is shown as a group of fields, with a frame and a legend. */
export function isGroup(shape: FieldShape): boolean {
  return ['object', 'list', 'map', 'choices', 'file', 'union'].includes(shape.kind)
}

/** Returns the ID of a group, which gets the focus if it contains a problem. */
export function useGroupId(path: ControlProps['path']): string {
  return `${useForm().prefix}${keyOf(path)}-group`
}

'use client'

import { useState } from 'react'
import { SelectControl } from './choice-controls'
import classes from '../playground.module.css'
import { type Choice, emptyValue, findChoice, fits, isJsonObject, type Json, type ShapeChoice } from './field-shapes'
import { type GroupProps, isGroup, useGroupId } from './group-props'

/** One entry of the select: a value, or a shape with a control of its own. */
interface Entry {
  key: string
  label: string
  index: number
  /** Undefined if the entry is a shape. */
  value?: Choice['value']
}

/** A value with several possible shapes: a select for values and shapes, and the control of the selected shape. */
export function UnionControl(props: GroupProps<'union'>) {
  const { shape, value, onChange, path, name, fallback, label, description, isRequired, parts } = props
  const { choices } = shape
  const id = useGroupId(path)
  const [chosenKey, setChosenKey] = useState<string | undefined>()
  const entries = listEntries(choices, value)
  const shown = value ?? fallback
  const current = findEntry(entries, choices, shown, chosenKey)
  const unset = { key: '', label: isRequired ? 'Choose…' : 'Not set' }
  const hasUnset = value === undefined && current === undefined
  const shownChoice = current?.value === undefined ? choices[current?.index ?? -1] : undefined

  function choose(key: string) {
    const next = entries.find(entry => entry.key === key)
    const choice = choices[next?.index ?? -1]
    setChosenKey(key)
    if (!next || !choice) return onChange(undefined)
    if (next.value !== undefined) return onChange(next.value === fallback ? undefined : next.value)
    if (value !== undefined && fits(choice.shape, value) && !isJsonObject(value)) return
    onChange(isGroup(choice.shape) ? emptyValue(choice.shape) : undefined)
  }

  return (
    <div className={classes.union}>
      <SelectControl
        id={id}
        label={label}
        description={description}
        name={name}
        path={path}
        isRequired={isRequired}
        entries={hasUnset ? [unset, ...entries] : entries}
        selectedKey={current?.key ?? ''}
        onSelect={choose}
      />
      {shownChoice && (
        <div className={isGroup(shownChoice.shape) ? classes.nested : undefined}>
          <parts.Control
            shape={shownChoice.shape}
            value={value}
            onChange={onChange}
            path={path}
            name={`${name}, ${shownChoice.title}`}
            label={undefined}
            isRequired={false}
            fallback={isGroup(shownChoice.shape) || !fitsDefault(shownChoice, fallback) ? undefined : fallback}
          />
        </div>
      )}
    </div>
  )
}

function fitsDefault({ shape }: ShapeChoice, fallback: Json | undefined): boolean {
  return fallback !== undefined && fits(shape, fallback)
}

/** Lists values and shapes in order. Those that repeat another one are only there if they are set. */
function listEntries(choices: ShapeChoice[], value: Json | undefined): Entry[] {
  return choices.flatMap(({ shape, title, isAlias }, index): Entry[] => {
    if (shape.kind === 'choice')
      return shape.choices
        .filter(choice => choice.isAlias !== true || choice.value === value)
        .map(choice => ({ key: JSON.stringify(choice.value), label: choice.label, index, value: choice.value }))
    const isHidden = isAlias === true && (value === undefined || findChoice(choices, value) !== index)
    return isHidden ? [] : [{ key: `shape ${index}`, label: title, index }]
  })
}

/** Returns the entry of a value. Without a value, the chosen shape applies, or the first if no entry is a value. */
function findEntry(
  entries: Entry[],
  choices: ShapeChoice[],
  value: Json | undefined,
  chosenKey: string | undefined,
): Entry | undefined {
  const chosen = entries.find(({ key }) => key === chosenKey)
  const chosenShape = chosen?.value === undefined ? choices[chosen?.index ?? -1]?.shape : undefined
  if (value === undefined)
    return chosenShape ? chosen : entries.every(entry => entry.value === undefined) ? entries[0] : undefined
  if (chosenShape && fits(chosenShape, value) && !hasForeignNames(choices, chosen?.index ?? -1, value)) return chosen
  const exact = entries.find(entry => entry.value === value)
  const index = findChoice(choices, value)
  return exact ?? entries.find(entry => entry.index === index && entry.value === undefined)
}

/** Returns whether an object contains names that a shape doesn't know. */
function hasForeignNames(choices: ShapeChoice[], index: number, value: Json): boolean {
  const shape = choices[index]?.shape
  return (
    shape?.kind === 'object' &&
    isJsonObject(value) &&
    Object.keys(value).some(key => !shape.fields.some(field => field.name === key))
  )
}

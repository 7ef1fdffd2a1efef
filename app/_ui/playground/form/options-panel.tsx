'use client'

import { useState } from 'react'
import { LinesField, SelectField } from '../../elements/field'
import { Segments } from '../../elements/ticks'
import { Panel } from '../../elements/panel'
import { FieldRow } from './field-row'
import { Fields } from './fields'
import { useForm } from './form-context'
import classes from '../playground.module.css'
import type { PlaygroundEndpoint } from '../request/playground-endpoint'
import { isJsonObject, type Json, type JsonObject } from './field-shapes'
import { Button } from '../../elements/button'

/** How the options are shown. */
export type Mode = 'form' | 'json'

interface Props {
  endpoint: PlaygroundEndpoint
  options: JsonObject
  onChange: (options: JsonObject) => void
  mode: Mode
  onMode: (mode: Mode) => void
  /** The text of the JSON editor if it isn't a valid object yet. Otherwise undefined. */
  brokenJson: string | undefined
  onBrokenJson: (text: string | undefined) => void
}

/** The options of a request, as a form or as JSON. */
export function OptionsPanel({ endpoint, options, onChange, mode, onMode, brokenJson, onBrokenJson }: Props) {
  const [isSwitchBlocked, setSwitchBlocked] = useState(false)
  const { shelf } = useForm()
  // New options don't get values that others left out.
  const replace = (next: JsonObject) => {
    shelf.clear()
    onBrokenJson(undefined)
    onChange(next)
  }
  const aside = (
    <Segments
      aria-label="Options as"
      value={mode}
      choices={[
        { value: 'form', label: 'Form' },
        { value: 'json', label: 'JSON' },
      ]}
      onChange={next => {
        const isStuck = brokenJson !== undefined && next === 'form'
        setSwitchBlocked(isStuck)
        if (!isStuck) onMode(next === 'json' ? 'json' : 'form')
      }}
    />
  )
  return (
    <Panel id="options" title="Options" aside={aside}>
      <div className={classes.examples}>
        <SelectField
          aria-label="Start from an example"
          value=""
          choices={[
            { value: '', label: 'Start from an example…' },
            ...endpoint.examples.map(({ title }, index) => ({ value: String(index), label: title })),
          ]}
          onChange={({ currentTarget }) => {
            const example = endpoint.examples[Number(currentTarget.value)]
            if (currentTarget.value !== '' && example) replace(example.options)
          }}
        />
        <Button look="secondary" size="small" onClick={() => replace({})}>
          Clear
        </Button>
      </div>
      {mode === 'json' ? (
        <JsonEditor
          options={options}
          onChange={next => {
            shelf.clear()
            onChange(next)
          }}
          broken={brokenJson}
          onBroken={onBrokenJson}
          isSwitchBlocked={isSwitchBlocked}
        />
      ) : (
        <Fields
          fields={endpoint.fields}
          frontFields={endpoint.frontFields}
          values={options}
          path={[]}
          onChange={onChange}
          FieldRow={FieldRow}
        />
      )}
    </Panel>
  )
}

interface JsonEditorProps {
  options: JsonObject
  onChange: (options: JsonObject) => void
  broken: string | undefined
  onBroken: (text: string | undefined) => void
  isSwitchBlocked: boolean
}

function JsonEditor({ options, onChange, broken, onBroken, isSwitchBlocked }: JsonEditorProps) {
  const optionsJson = JSON.stringify(options, null, 2)
  // The typed text stays unchanged, including spaces, as long as it represents the options.
  const [typed, setTyped] = useState({ text: optionsJson, of: optionsJson })
  const text = broken ?? (typed.of === optionsJson ? typed.text : optionsJson)
  return (
    <LinesField
      aria-label="Options as JSON"
      data-testid="options-json"
      value={text}
      rows={8}
      spellCheck={false}
      className={classes.code}
      error={
        broken === undefined
          ? undefined
          : `${isSwitchBlocked ? 'Correct this first. It' : 'This'} isn’t a JSON object yet${describeProblem(broken)}.`
      }
      onChange={({ currentTarget }) => {
        const parsedOptions = readObject(currentTarget.value)
        onBroken(parsedOptions === undefined ? currentTarget.value : undefined)
        if (parsedOptions === undefined) return
        setTyped({ text: currentTarget.value, of: JSON.stringify(parsedOptions, null, 2) })
        onChange(parsedOptions)
      }}
    />
  )
}

function readObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text.trim() === '' ? '{}' : text) as Json // JSON.parse returns JSON values.
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Describes where the JSON is invalid. Uses the browser's message if it contains a line or a position. */
function describeProblem(text: string): string {
  try {
    JSON.parse(text)
    return ''
  } catch (error) {
    const position =
      error instanceof Error ? /line \d+(?: column \d+)?|position \d+/.exec(error.message)?.[0] : undefined
    return position === undefined ? '' : ` (${position})`
  }
}

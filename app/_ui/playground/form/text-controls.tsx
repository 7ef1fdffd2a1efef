'use client'

import { useEffect, useState, type ReactNode } from 'react'
import { useForm } from './form-context'
import { keyOf, type FieldPath } from './field-path'
import classes from '../playground.module.css'
import { LinesField, TextField } from '../../elements/field'
import { PasswordField } from '../../elements/password-field'
import { Switch } from '../../elements/ticks'
import { type Json, readRgb, type FieldShape } from './field-shapes'

/** The properties of a control for one value: the value, its path and its label. */
export interface ControlProps<Kind extends FieldShape = FieldShape> {
  shape: Kind
  value: Json | undefined
  onChange: (value: Json | undefined) => void
  path: FieldPath
  label: ReactNode
  /** The label as plain text, for buttons, and for screen readers if no label is visible. */
  name: string
  description?: ReactNode
  error?: ReactNode
  isRequired: boolean
  fallback: Json | undefined
}

/** Properties that every control of a single value has. */
export function commonProps({
  label,
  name,
  description,
  error,
  isRequired,
}: Pick<ControlProps, 'label' | 'name' | 'description' | 'error' | 'isRequired'>) {
  return {
    label,
    description,
    error,
    isMarked: isRequired,
    ...(label === undefined ? { 'aria-label': name } : {}),
  }
}

const ofKind = <Kind extends FieldShape['kind']>(shape: FieldShape, kind: Kind) =>
  shape.kind === kind ? (shape as Extract<FieldShape, { kind: Kind }>) : undefined

/** A control for a text of one or more lines, and for page numbers. */
export function TextControl(props: ControlProps) {
  const { shape, value, onChange, fallback } = props
  const { prefix } = useForm()
  const text = ofKind(shape, 'text')
  const displayedText = Array.isArray(value) ? value.map(entry => JSON.stringify(entry)).join(',') : writeValue(value)
  const common = {
    ...commonProps(props),
    id: `${prefix}${keyOf(props.path)}`,
    value: displayedText,
    placeholder: placeholderOf(shape, fallback),
    spellCheck: false,
    autoComplete: text?.isSecret ? 'new-password' : 'off',
  }
  const change = (typed: string) => onChange(typed === '' ? undefined : typed)
  if (text?.isSecret) return <PasswordField {...common} onChange={({ currentTarget }) => change(currentTarget.value)} />
  const isLong = text?.isLong === true || displayedText.includes('\n')
  if (isLong) return <LinesField {...common} rows={2} onChange={({ currentTarget }) => change(currentTarget.value)} />
  return <TextField {...common} onChange={({ currentTarget }) => change(currentTarget.value)} />
}

const NUMBER = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** A number. Any other text is sent as typed, so that the service reports it. */
export function NumberControl(props: ControlProps) {
  const { shape, value, onChange, fallback } = props
  const { prefix } = useForm()
  const [typed, setTyped] = useState('')
  const displayedText = value !== undefined && readNumber(typed) === value ? typed : writeValue(value)
  return (
    <TextField
      {...commonProps(props)}
      id={`${prefix}${keyOf(props.path)}`}
      value={displayedText}
      inputMode={shape.kind === 'number' ? 'decimal' : 'text'}
      autoComplete="off"
      placeholder={placeholderOf(shape, fallback)}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChange(currentTarget.value === '' ? undefined : readNumber(currentTarget.value))
      }}
    />
  )
}

function readNumber(text: string): Json {
  return NUMBER.test(text.trim()) ? Number(text) : text
}

/** A switch of an option with a default. */
export function SwitchControl(props: ControlProps) {
  const { value, onChange, fallback, label, name, description, error, path } = props
  const { prefix } = useForm()
  return (
    <Switch
      id={`${prefix}${keyOf(path)}`}
      label={label ?? name}
      description={description}
      error={error}
      checked={value === undefined ? fallback === true : value === true}
      onChange={({ currentTarget }) => onChange(currentTarget.checked === fallback ? undefined : currentTarget.checked)}
    />
  )
}

/** A control for a color as text, with the browser's color picker. */
export function ColorControl(props: ControlProps) {
  const { value, onChange, fallback, name } = props
  const { prefix } = useForm()
  const colorText = readRgb(value) ?? (typeof value === 'string' ? value : '')
  const pickerColor = /^#[0-9a-f]{6}$/i.test(colorText)
    ? colorText
    : typeof fallback === 'string' && /^#[0-9a-f]{6}$/i.test(fallback)
      ? fallback
      : '#000000'
  return (
    <TextField
      {...commonProps(props)}
      id={`${prefix}${keyOf(props.path)}`}
      value={colorText}
      autoComplete="off"
      placeholder={placeholderOf(props.shape, fallback)}
      lead={
        <input
          type="color"
          className={classes.picker}
          aria-label={`Pick ${name}`}
          value={pickerColor}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      }
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
    />
  )
}

/** Any JSON. Invalid JSON is kept as typed, and reported. */
export function JsonControl(props: ControlProps) {
  const { value, onChange, path, error } = props
  const { prefix, reportBroken } = useForm()
  const key = keyOf(path)
  const valueJson = value === undefined ? '' : JSON.stringify(value, null, 2)
  const [draft, setDraft] = useState({ text: valueJson, of: valueJson })
  const text = draft.of === valueJson ? draft.text : valueJson
  const isBroken = readJson(text) === 'broken'
  useEffect(() => {
    reportBroken(key, isBroken)
    return () => reportBroken(key, false)
  }, [key, isBroken, reportBroken])
  return (
    <LinesField
      {...commonProps(props)}
      id={`${prefix}${keyOf(props.path)}`}
      value={text}
      error={isBroken ? 'This isn’t valid JSON.' : error}
      rows={2}
      spellCheck={false}
      className={classes.code}
      placeholder="JSON"
      onChange={({ currentTarget }) => {
        const parsed = readJson(currentTarget.value)
        setDraft({
          text: currentTarget.value,
          of: parsed === 'broken' ? valueJson : parsed === undefined ? '' : JSON.stringify(parsed.value, null, 2),
        })
        if (parsed !== 'broken') onChange(parsed?.value)
      }}
    />
  )
}

function readJson(text: string): { value: Json } | undefined | 'broken' {
  if (text.trim() === '') return undefined
  try {
    return { value: JSON.parse(text) as Json } // JSON.parse returns JSON values.
  } catch {
    return 'broken'
  }
}

/** Returns a value as text: a string unchanged, anything else as JSON. */
function writeValue(value: Json | undefined): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
}

function placeholderOf(shape: FieldShape, fallback: Json | undefined): string {
  if (fallback !== undefined) return writeValue(fallback)
  switch (shape.kind) {
    case 'pages':
      return 'such as 1, 3-5, odd, last'
    case 'number':
      return shape.bounds ?? ''
    case 'measure':
      return 'such as 28 or 10mm'
    case 'color':
      return '#RRGGBB'
    default:
      return ''
  }
}

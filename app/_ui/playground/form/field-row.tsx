'use client'

import { lazy, Suspense, useState, type ReactNode } from 'react'
import { ChoiceControl } from './choice-controls'
import { FileControl } from './file-control'
import { useForm } from './form-context'
import { ChoicesControl, MapControl, ObjectControl } from './group-controls'
import { isGroup, useGroupId, type Parts } from './group-props'
import { problemsAt, type FieldPath } from './field-path'
import classes from '../playground.module.css'
import { fits, isJsonObject, type Field, type Json, type FieldShape, type Choice } from './field-shapes'
import { ListControl } from './list-control'
import {
  ColorControl,
  JsonControl,
  NumberControl,
  SwitchControl,
  TextControl,
  type ControlProps,
} from './text-controls'
import { UnionControl } from './union-control'
import { summarize } from './value-summary'
import { Hint } from './hint'

/** Only a pipeline has steps. */
const StepsControl = lazy(async () => ({ default: (await import('./steps-control')).StepsControl }))

interface FieldRowProps {
  field: Field
  value: Json | undefined
  path: FieldPath
  onChange: (value: Json | undefined) => void
}

/** A field with its label, description, control, and the service's problems. */
export function FieldRow({ field, value, path, onChange }: FieldRowProps) {
  const { isRequired, shape } = field
  const label = <FieldLabel field={field} value={value} />
  const hint = <FieldHint field={field} />
  const controlShape = value !== undefined && !fits(shape, value) ? ({ kind: 'json' } as const) : shape
  const control = { shape: controlShape, value, path, name: field.label, isRequired, fallback: field.default, onChange }
  if (!isGroup(controlShape) || controlShape.kind === 'union')
    return <Control {...control} label={label} description={hint} showsProblems />
  const set = (next: Json | undefined) =>
    onChange(isJsonObject(next) && Object.keys(next).length === 0 && controlShape.kind === 'object' ? undefined : next)
  return (
    <Group
      path={path}
      title={label}
      summary={summarize(controlShape, value)}
      hint={hint}
      isRequired={isRequired}
      isFolded={controlShape.kind === 'object' && !isRequired ? value === undefined : undefined}
    >
      <Control {...control} onChange={set} label={undefined} />
    </Group>
  )
}

interface GroupProps {
  path: FieldPath
  title: ReactNode
  /** The content in one line, while the group is collapsed. */
  summary: string
  hint: ReactNode
  isRequired: boolean
  /** Whether the group starts collapsed. Undefined if it can't be collapsed. */
  isFolded: boolean | undefined
  children: ReactNode
}

/** A frame around the fields of one option. It opens if the service reported a problem inside. */
function Group({ path, title, summary, hint, isRequired, isFolded, children }: GroupProps) {
  const id = useGroupId(path)
  const { problems } = useForm()
  const [isOpen, setOpen] = useState(isFolded !== true)
  const groupProblems = problemsAt(problems, path, false)
  const head = (
    <>
      {title}
      {isRequired && (
        <span className={classes.problem} aria-hidden>
          {' *'}
        </span>
      )}
    </>
  )
  const inner = (
    <>
      <p className={classes.hint}>{hint}</p>
      {children}
      <Problems messages={groupProblems.map(({ message }) => message)} />
    </>
  )
  if (isFolded === undefined) {
    return (
      <fieldset id={id} tabIndex={-1} className={classes.group}>
        <legend>{head}</legend>
        {inner}
      </fieldset>
    )
  }
  const isShown = isOpen || problemsAt(problems, path, true).length > 0
  return (
    <details
      id={id}
      className={classes.group}
      open={isShown}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        {head}
        {!isShown && summary !== '' && <span className={classes.summary}>{summary}</span>}
      </summary>
      {inner}
    </details>
  )
}

function Problems({ messages }: { messages: string[] }) {
  return messages.map(message => (
    <p key={message} className={classes.problem}>
      {message}
    </p>
  ))
}

/** The control of a shape. `showsProblems` is for controls without a frame. */
function Control({ showsProblems = false, ...props }: ControlProps & { showsProblems?: boolean }) {
  const { problems } = useForm()
  const group = isGroup(props.shape)
  const messages = showsProblems
    ? problemsAt(problems, props.path, !group).map(({ param, message, path }) =>
        path?.length === props.path.length ? message : `${param}: ${message}`,
      )
    : []
  const control = renderControl(messages.length > 0 && !group ? { ...props, error: messages.join(' ') } : props)
  if (!group || messages.length === 0) return control
  return (
    <>
      {control}
      <Problems messages={messages} />
    </>
  )
}

/** The values of a switch without a default. Leaving it unset is a separate choice. */
const YES_OR_NO = [
  { value: true, label: 'Yes' },
  { value: false, label: 'No' },
]

const PARTS: Parts = { Control, FieldRow }

function renderControl(props: ControlProps): ReactNode {
  const { shape } = props
  switch (shape.kind) {
    case 'text':
    case 'pages':
      return <TextControl {...props} />
    case 'number':
    case 'measure':
      return <NumberControl {...props} />
    case 'switch':
      return typeof props.fallback === 'boolean' ? (
        <SwitchControl {...props} />
      ) : (
        <ChoiceControl {...props} shape={{ kind: 'choice', choices: YES_OR_NO }} />
      )
    case 'choice':
      return <ChoiceControl {...props} shape={shape} />
    case 'color':
      return <ColorControl {...props} />
    case 'json':
      return <JsonControl {...props} />
    case 'file':
      return <FileControl {...props} />
    case 'object':
      return <ObjectControl {...props} shape={shape} parts={PARTS} />
    case 'list':
      return <ListControl {...props} shape={shape} parts={PARTS} />
    case 'map':
      return <MapControl {...props} shape={shape} parts={PARTS} />
    case 'choices':
      return <ChoicesControl {...props} shape={shape} />
    case 'union':
      return <UnionControl {...props} shape={shape} parts={PARTS} />
    case 'steps':
      return (
        <Suspense fallback={<div className={classes.blank} role="status" aria-label="The steps load." />}>
          <StepsControl {...props} shape={shape} parts={PARTS} />
        </Suspense>
      )
    default:
      return shape satisfies never as FieldShape['kind']
  }
}

/** The label of a field, and its parameter in small type. Screen readers hear the parameter in the description. */
function FieldLabel({ field, value }: { field: Field; value: Json | undefined }) {
  return (
    <>
      {field.label}{' '}
      <code className={classes.param} aria-hidden>
        {field.name}
        {writeChosen(field, value)}
      </code>
    </>
  )
}

/** The description of a field. Screen readers hear the parameter first. */
function FieldHint({ field: { name, label, description } }: { field: Field }) {
  return (
    <>
      <span className="visually-hidden">Parameter {name}. </span>
      {saysMore(description, label) && <Hint text={description} of={label} />}
    </>
  )
}

/** Returns whether a description says more than the label: "Name." doesn't. */
function saysMore(description: string, label: string): boolean {
  return description !== '' && description.replace(/\.$/, '').toLowerCase() !== label.toLowerCase()
}

/** Returns the selected value as the API spells it, if the form shows it in words. */
function writeChosen({ shape, default: fallback }: Field, value: Json | undefined): string {
  const shown = value ?? fallback
  const chosen = listChoices(shape).find(choice => choice.value === shown)
  return chosen === undefined ? '' : `: ${chosen.value}`
}

function listChoices(shape: FieldShape): Choice[] {
  if (shape.kind === 'choice') return shape.choices
  return shape.kind === 'union' ? shape.choices.flatMap(choice => listChoices(choice.shape)) : []
}

'use client'

import { type ReactNode, useState } from 'react'
import { FileControl } from './file-control'
import { useForm } from './form-context'
import {
  ChoicesControl,
  isGroup,
  ListControl,
  MapControl,
  ObjectControl,
  type Parts,
  UnionControl,
  useGroupId,
} from './group-controls'
import { Hint } from './hint'
import { type FieldPath, problemsAt } from './field-path'
import classes from '../playground.module.css'
import { type Field, fits, isJsonObject, type Json, type FieldShape } from './field-shapes'
import {
  ChoiceControl,
  ColorControl,
  type ControlProps,
  JsonControl,
  NumberControl,
  SwitchControl,
  TextControl,
} from './text-controls'

interface FieldRowProps {
  field: Field
  value: Json | undefined
  path: FieldPath
  onChange: (value: Json | undefined) => void
}

/** A field with its name, description, control, and the service's problems. */
export function FieldRow({ field, value, path, onChange }: FieldRowProps) {
  const { name, isRequired, description, shape } = field
  const label = <code>{name}</code>
  const hint = description === '' ? undefined : <Hint text={description} of={name} />
  const controlShape = value !== undefined && !fits(shape, value) ? ({ kind: 'json' } as const) : shape
  const control = { shape: controlShape, value, path, name, isRequired, fallback: field.default, onChange }
  if (!isGroup(controlShape)) return <Control {...control} label={label} description={hint} showsProblems />
  const set = (next: Json | undefined) =>
    onChange(isJsonObject(next) && Object.keys(next).length === 0 && controlShape.kind === 'object' ? undefined : next)
  return (
    <Group
      path={path}
      title={label}
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
  hint: ReactNode
  isRequired: boolean
  /** Whether the group starts collapsed. Undefined if it can't be collapsed. */
  isFolded: boolean | undefined
  children: ReactNode
}

/** A frame around the fields of one option. It opens if the service reported a problem inside. */
function Group({ path, title, hint, isRequired, isFolded, children }: GroupProps) {
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
      {hint !== undefined && <p className={classes.hint}>{hint}</p>}
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
  return (
    <details
      id={id}
      className={classes.group}
      open={isOpen || problemsAt(problems, path, true).length > 0}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{head}</summary>
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
      return <SwitchControl {...props} />
    case 'choice':
      return <ChoiceControl {...props} />
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
    default:
      return shape satisfies never as FieldShape['kind']
  }
}

'use client'

import { FileRows } from '../files/file-rows'
import { type FieldPath, problemsAt } from './field-path'
import type { Field, Json } from './field-shapes'
import { useForm } from './form-context'
import { useGroupId } from './group-props'
import classes from '../playground.module.css'

interface Props {
  field: Field
  value: Json | undefined
  path: FieldPath
  /** The names that the step can read. */
  known: string[]
  /** What the step reads without names. */
  otherwise: string
  stepName: string
  onChange: (names: Json | undefined) => void
}

/** The files that a step reads, in their order: names of uploads and of earlier results. */
export function StepFiles({ field, value, path, known, otherwise, stepName, onChange }: Props) {
  const { problems } = useForm()
  const names = Array.isArray(value) ? value.map(String) : []
  const set = (next: string[]) => onChange(next.length === 0 ? undefined : next)
  return (
    <fieldset id={useGroupId(path)} tabIndex={-1} className={classes.group}>
      <legend>
        {field.label}{' '}
        <code className={classes.param} aria-hidden>
          {field.name}
        </code>
      </legend>
      {names.length === 0 ? (
        <p className={classes.hint}>{otherwise}</p>
      ) : (
        <FileRows
          files={names.map(name => ({ name }))}
          place={` in ${stepName}`}
          onChange={next => set(next.map(({ name }) => name))}
        />
      )}
      {known.length > 0 && (
        <p className={classes.samples}>
          <span className={classes.soft}>Add:</span>
          {known.map(name => (
            <button
              key={name}
              type="button"
              className={classes.chip}
              aria-label={`Add ${name} to the files of ${stepName}`}
              onClick={() => set([...names, name])}
            >
              {name}
            </button>
          ))}
        </p>
      )}
      {problemsAt(problems, path, true).map(({ message }) => (
        <p key={message} className={classes.problem}>
          {message}
        </p>
      ))}
    </fieldset>
  )
}

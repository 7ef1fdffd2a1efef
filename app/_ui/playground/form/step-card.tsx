'use client'

import { useSortable } from '@dnd-kit/sortable'
import { Button } from '../../elements/button'
import { SelectField } from '../../elements/field'
import { useMediaQuery } from '../../elements/use-media-query'
import { type FieldPath, type PlacedProblem, problemsAt, withMember } from './field-path'
import { type FieldShape, isJsonObject, type Json, type JsonObject } from './field-shapes'
import { Fields } from './fields'
import { useForm } from './form-context'
import { type Parts, useGroupId } from './group-props'
import { summarize } from './value-summary'
import playground from '../playground.module.css'
import { StepFiles } from './step-files'
import { findStepChoice, optionsMember, type StepForm } from './step-forms'
import classes from './steps.module.css'
import { useStepForm } from './use-step-form'

export interface StepProps {
  shape: Extract<FieldShape, { kind: 'steps' }>
  step: JsonObject
  /** Stays the same when the step moves. */
  stepKey: string
  index: number
  count: number
  path: FieldPath
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  onChange: (step: JsonObject) => void
  onMove: (to: number) => void
  onRemove: () => void
  /** Names of uploads and of earlier results. */
  known: string[]
  parts: Parts
}

/** A step of a pipeline: a line that can be moved, and its fields. A problem inside keeps it open. */
export function StepCard(props: StepProps) {
  const { shape, step, stepKey, index, count, path, onToggle, onMove, onRemove } = props
  const { problems } = useForm()
  const isStill = useMediaQuery('(prefers-reduced-motion: reduce)', false)
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: stepKey,
    attributes: { roleDescription: 'Step that can be moved' },
    ...(isStill ? { transition: null } : {}),
  })
  const choice = findStepChoice(shape.choices, step)
  const { form, hasFailed, retry } = useStepForm(choice?.slug)
  const name = `step ${index + 1}`
  const title = choice?.title ?? 'Not chosen yet'
  const isShown = props.isOpen || problemsAt(problems, path, true).length > 0
  const options = choice && step[optionsMember(choice)]
  const summary = form ? summarize({ kind: 'object', fields: form.fields }, options) : ''
  return (
    <li
      ref={setNodeRef}
      className={classes.step}
      data-dragged={isDragging}
      style={{ transform: transform ? `translate3d(0, ${transform.y}px, 0)` : undefined, transition }}
    >
      <div role="group" id={useGroupId(path)} tabIndex={-1} aria-label={`Step ${index + 1}`} className={classes.card}>
        <div className={classes.head}>
          <button
            ref={setActivatorNodeRef}
            type="button"
            className={classes.handle}
            {...attributes}
            {...listeners}
            aria-label={`Move ${name}, ${title}`}
          >
            <svg viewBox="0 0 10 16" width="10" height="16" fill="currentColor" aria-hidden>
              <path d="M1 2h3v3H1zM6 2h3v3H6zM1 7h3v3H1zM6 7h3v3H6zM1 12h3v3H1zM6 12h3v3H6z" />
            </svg>
          </button>
          <button
            type="button"
            className={classes.fold}
            data-part="fold"
            aria-expanded={isShown}
            onClick={() => onToggle(!isShown)}
          >
            <span aria-hidden>{isShown ? '▾' : '▸'}</span>
            <span className={playground.foldNumber}>
              <span className="visually-hidden">Step</span> {index + 1}
            </span>
            <span className={classes.title}>{title}</span>
            {!isShown && summary !== '' && <span className={classes.summary}>{summary}</span>}
          </button>
          <span className={playground.fileButtons}>
            <button
              type="button"
              className={playground.chip}
              data-part="up"
              disabled={index === 0}
              aria-label={`Move ${name} up`}
              onClick={() => onMove(index - 1)}
            >
              ↑
            </button>
            <button
              type="button"
              className={playground.chip}
              data-part="down"
              disabled={index === count - 1}
              aria-label={`Move ${name} down`}
              onClick={() => onMove(index + 1)}
            >
              ↓
            </button>
            <button type="button" className={playground.chip} aria-label={`Remove ${name}`} onClick={onRemove}>
              Remove
            </button>
          </span>
        </div>
        {isShown && <StepBody {...props} form={form} hasFailed={hasFailed} onRetry={retry} />}
      </div>
    </li>
  )
}

interface BodyProps extends StepProps {
  form: StepForm | undefined
  hasFailed: boolean
  onRetry: () => void
}

/** What a step does, what it reads, and the name of its result. */
function StepBody({ shape, step, index, path, known, parts, onChange, form, hasFailed, onRetry }: BodyProps) {
  const { prefix, problems } = useForm()
  const choice = findStepChoice(shape.choices, step)
  const member = choice && optionsMember(choice)
  const options = member && isJsonObject(step[member]) ? step[member] : {}
  const set = (name: string, value: Json | undefined) => onChange(withMember(step, name, value))

  function choose(slug: string) {
    const next = shape.choices.find(one => one.slug === slug)
    const { files, as } = step
    onChange({
      ...(next && (next.member === 'tool' ? { tool: slug } : { [next.member]: {} })),
      ...(files !== undefined && { files }),
      ...(as !== undefined && { as }),
    })
  }

  return (
    <>
      {listOwnProblems(problems, path, form).map(({ message }) => (
        <p key={message} className={playground.problem}>
          {message}
        </p>
      ))}
      <SelectField
        id={`${prefix}step-${index}-tool`}
        data-part="tool"
        label={
          <>
            Tool{' '}
            <code className={playground.param} aria-hidden>
              {choice?.member ?? 'tool'}
              {choice?.member === 'tool' && `: ${choice.slug}`}
            </code>
          </>
        }
        isMarked
        value={choice?.slug ?? ''}
        choices={[
          ...(choice ? [] : [{ value: '', label: 'Choose…' }]),
          ...shape.choices.map(({ slug, title }) => ({ value: slug, label: title })),
        ]}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      <StepFiles
        field={shape.files}
        value={step['files']}
        path={[...path, 'files']}
        known={known}
        otherwise={describeReading(choice?.member, index)}
        stepName={`step ${index + 1}`}
        onChange={names => set('files', names)}
      />
      {choice && member && form && (
        <Fields
          key={choice.slug}
          {...form}
          values={options}
          path={[...path, member]}
          onChange={next => set(member, member === 'options' && Object.keys(next).length === 0 ? undefined : next)}
          FieldRow={parts.FieldRow}
        />
      )}
      {choice && !form && (
        <p role="status" className={playground.soft}>
          {hasFailed ? 'The options of this tool failed to load.' : 'The options load.'}
        </p>
      )}
      {hasFailed && (
        <Button look="secondary" size="small" onClick={onRetry}>
          Load the options again
        </Button>
      )}
      <parts.FieldRow field={shape.as} value={step['as']} path={[...path, 'as']} onChange={value => set('as', value)} />
    </>
  )
}

function describeReading(member: 'tool' | 'webpage' | 'invoice' | undefined, index: number): string {
  if (member === 'webpage' || member === 'invoice') return 'Reads no file.'
  return index === 0 ? 'Reads all uploads.' : `Reads the result of step ${index}.`
}

/** The problems of a step that none of its fields shows. */
function listOwnProblems(
  problems: readonly PlacedProblem[],
  path: FieldPath,
  form: StepForm | undefined,
): PlacedProblem[] {
  return problemsAt(problems, path, true).filter(problem => {
    const [member, option] = (problem.path ?? []).slice(path.length)
    if (member === 'files' || member === 'as') return false
    return !form?.fields.some(({ name }) => name === option)
  })
}

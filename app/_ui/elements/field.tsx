import { type ComponentProps, type ReactNode, useId } from 'react'
import classes from './field.module.css'

/** What stands around a control. A control without a visible label has an `aria-label`. */
export interface FieldText {
  label?: ReactNode
  /** Stands between the label and the control. */
  description?: ReactNode
  /** Stands below the control. */
  error?: ReactNode
  /** Whether an asterisk marks the label. */
  isMarked?: boolean | undefined
}

interface TextProps extends FieldText, Omit<ComponentProps<'input'>, 'size'> {
  size?: 'medium' | 'large'
  /** Stands inside of the field, before its text. */
  lead?: ReactNode
}

/** A text field with its label. */
export function TextField({ label, description, error, isMarked, size, lead, className, id, ...others }: TextProps) {
  const ownId = useId()
  const text = { id: id ?? ownId, label, description, error, isMarked }
  return (
    <FieldFrame {...text} className={className} size={size}>
      <div className={joinClasses(classes.box, lead === undefined ? undefined : classes.withLead)}>
        {lead}
        <input className={classes.input} {...others} {...describeControl(text)} />
      </div>
    </FieldFrame>
  )
}

interface SelectProps extends FieldText, Omit<ComponentProps<'select'>, 'size'> {
  choices: { value: string; label: string }[]
}

/** A selection with its label. */
export function SelectField({ label, description, error, isMarked, choices, className, id, ...others }: SelectProps) {
  const ownId = useId()
  const text = { id: id ?? ownId, label, description, error, isMarked }
  return (
    <FieldFrame {...text} className={className}>
      <select className={classes.input} {...others} {...describeControl(text)}>
        {choices.map(choice => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  )
}

/** A field for lines of text, which grows with them. */
export function LinesField({
  label,
  description,
  error,
  isMarked,
  className,
  id,
  ...others
}: FieldText & ComponentProps<'textarea'>) {
  const ownId = useId()
  const text = { id: id ?? ownId, label, description, error, isMarked }
  return (
    <FieldFrame {...text}>
      <textarea
        {...others}
        {...describeControl(text)}
        className={joinClasses(classes.input, classes.lines, className)}
      />
    </FieldFrame>
  )
}

interface FrameProps extends FieldText {
  /** The ID of the control. */
  id: string
  size?: 'medium' | 'large' | undefined
  className?: string | undefined
  children: ReactNode
}

/** A control with its label, description and error. */
export function FieldFrame({ id, label, description, error, isMarked, size, className, children }: FrameProps) {
  return (
    <div className={joinClasses(classes.field, size === 'large' ? classes.large : undefined, className)}>
      {label !== undefined && (
        <label className={classes.label} htmlFor={id}>
          <MarkedLabel label={label} isMarked={isMarked} />
        </label>
      )}
      <FieldNotes id={id} description={description} />
      {children}
      <FieldNotes id={id} error={error} />
    </div>
  )
}

/** A label, with an asterisk if it is marked. */
export function MarkedLabel({ label, isMarked }: Pick<FieldText, 'label' | 'isMarked'>) {
  return (
    <>
      {label}
      {isMarked === true && (
        <span className={classes.error} aria-hidden>
          {' *'}
        </span>
      )}
    </>
  )
}

/** The description and the error of the control with this ID. */
export function FieldNotes({ id, description, error }: Pick<FieldText, 'description' | 'error'> & { id: string }) {
  return (
    <>
      {description !== undefined && (
        <div className={classes.hint} id={`${id}-hint`}>
          {description}
        </div>
      )}
      {error !== undefined && (
        <p className={classes.error} id={`${id}-error`}>
          {error}
        </p>
      )}
    </>
  )
}

/** The ID of a control, and what tells screen readers its description and its error. */
export function describeControl({ id, description, error }: Pick<FieldText, 'description' | 'error'> & { id: string }) {
  const notes = [description === undefined ? [] : `${id}-hint`, error === undefined ? [] : `${id}-error`].flat()
  return {
    id,
    'aria-invalid': error === undefined ? undefined : true,
    'aria-describedby': notes.length === 0 ? undefined : notes.join(' '),
  }
}

/** Joins class names and leaves out the missing ones. */
export function joinClasses(...names: (string | undefined)[]): string {
  return names.filter(name => name !== undefined).join(' ')
}

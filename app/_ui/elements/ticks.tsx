import { type ComponentProps, useId } from 'react'
import { describeControl, FieldNotes, type FieldText, joinClasses } from './field'
import classes from './ticks.module.css'

interface TickProps extends Omit<FieldText, 'isMarked'>, Omit<ComponentProps<'input'>, 'type' | 'size'> {}

/** A switch with its label beside it. */
export function Switch(props: TickProps) {
  return <Tick {...props} isSwitch />
}

/** A checkbox with its label beside it. */
export function Checkbox(props: TickProps) {
  return <Tick {...props} isSwitch={false} />
}

function Tick({ label, description, error, className, id, isSwitch, ...others }: TickProps & { isSwitch: boolean }) {
  const ownId = useId()
  const text = { id: id ?? ownId, description, error }
  return (
    <div className={joinClasses(classes.tick, className)}>
      <input
        {...others}
        {...describeControl(text)}
        type="checkbox"
        role={isSwitch ? 'switch' : undefined}
        className={isSwitch ? classes.switch : classes.checkbox}
      />
      <div>
        <label htmlFor={text.id}>{label}</label>
        <FieldNotes {...text} />
      </div>
    </div>
  )
}

interface SegmentsProps {
  id?: string
  choices: { value: string; label: string }[]
  value: string
  onChange: (value: string) => void
  'aria-label'?: string
  'aria-labelledby'?: string
}

/** A few choices in one line, of which one is selected. */
export function Segments({ choices, value, onChange, ...others }: SegmentsProps) {
  const name = useId()
  return (
    <div role="radiogroup" tabIndex={-1} className={classes.segments} {...others}>
      {choices.map(choice => (
        <label key={choice.value} className={classes.segment}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <span>{choice.label}</span>
        </label>
      ))}
    </div>
  )
}

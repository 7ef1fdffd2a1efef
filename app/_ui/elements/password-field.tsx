'use client'

import { type ComponentProps, useId, useState } from 'react'
import { describeControl, FieldFrame, type FieldText } from './field'
import classes from './field.module.css'
import { drawIcon } from './icon'

const EyeIcon = drawIcon(
  <>
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
    <circle cx="12" cy="12" r="3" />
  </>,
)

interface Props extends FieldText, Omit<ComponentProps<'input'>, 'size' | 'type'> {
  size?: 'medium' | 'large'
}

/** A field for a password, which can be shown as it is typed. */
export function PasswordField({ label, description, error, isMarked, size, id, ...others }: Props) {
  const ownId = useId()
  const [isShown, setShown] = useState(false)
  const text = { id: id ?? ownId, label, description, error, isMarked }
  return (
    <FieldFrame {...text} size={size}>
      <div className={`${classes.box} ${classes.secret}`}>
        <input className={classes.input} {...others} {...describeControl(text)} type={isShown ? 'text' : 'password'} />
        <button
          type="button"
          className={classes.reveal}
          aria-label="Show characters"
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          <EyeIcon />
        </button>
      </div>
    </FieldFrame>
  )
}

import type { ComponentProps } from 'react'
import classes from './button.module.css'

/** `secondary` is the one look of every button that isn't the main action of its form. `quiet` has no border. */
export type ButtonLook = 'primary' | 'secondary' | 'danger' | 'quiet'
export type ButtonSize = 'small' | 'medium' | 'large'

interface Props extends ComponentProps<'button'> {
  look?: ButtonLook
  size?: ButtonSize
  /** Whether its request is running. The button then has a spinner and can't be pressed. */
  loading?: boolean
  /** What the script of a static page copies. */
  'data-copy'?: string
}

/** A button. It needs no script of its own. */
export function Button({ look, size, loading = false, disabled = false, className, ...others }: Props) {
  return (
    <button
      type="button"
      {...others}
      disabled={disabled || loading}
      data-loading={loading || undefined}
      className={buttonClass({ look, size, className })}
    />
  )
}

/** The class of a button, also for links that look like one. */
export function buttonClass({
  look = 'primary',
  size = 'medium',
  className,
}: {
  look?: ButtonLook | undefined
  size?: ButtonSize | undefined
  className?: string | undefined
}): string {
  const parts = [
    classes.button,
    look === 'secondary' ? undefined : classes[look],
    size === 'medium' ? undefined : classes[size],
  ]
  return [...parts, className].filter(part => part !== undefined).join(' ')
}

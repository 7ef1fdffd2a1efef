import { LinkButton } from '../_ui/elements/link-button'
import { describeCreditState } from '../_server/credit-state'
import classes from './credit-notice.module.css'

/** Says on a page of the account that there are no credits left, and what to do. `showsLow` also shows a low balance. */
export async function CreditNotice({ showsLow = false }: { showsLow?: boolean }) {
  const state = await describeCreditState()
  if (state === undefined || (state.kind === 'low' && !showsLow)) return null
  const { kind, title, text, action } = state
  return (
    <section className={classes.notice} data-kind={kind} data-testid="credit-notice" aria-labelledby="credit-notice">
      <div className={classes.words}>
        <h2 id="credit-notice">{title}</h2>
        <p>{text}</p>
      </div>
      {action && (
        <LinkButton href={action.href} primary={kind === 'empty'}>
          {action.label}
        </LinkButton>
      )}
    </section>
  )
}

import type { ReactNode } from 'react'
import { readFirstDay } from '../../lib/requests/first-day'
import { getConfig } from '../../lib/config'
import { canSendMail } from '../../lib/mail'
import { count } from '../_server/amounts'
import { CheckIcon } from '../_ui/elements/icons'
import { Panel } from '../_ui/elements/panel'
import { DismissButton } from '../_ui/forms/dismiss-button'
import { RefreshWhileVisible } from '../_ui/forms/refresh-while-visible'
import classes from './first-day.module.css'

/** Facts of an account that its page has read already. */
interface Facts {
  hasKey: boolean
  hasSucceeded: boolean
  lowBalanceAt: number
}

interface Step {
  title: ReactNode
  docs: string
  isDone: boolean
  /** What marks the step as done. */
  rule: ReactNode
}

/** Milliseconds between two looks while a step is open. */
const LOOK_EVERY_MS = 5000

/**
 * The checklist for the first day. It marks its own steps from facts that the server has. When all are done, it is one
 * line that can be dismissed. Also keeps the page up to date.
 */
export async function FirstDay({ accountId, facts }: { accountId: string; facts: Facts }) {
  const { isIdempotent, hasRecovered, isDismissed } = await readFirstDay(accountId)
  const steps = listSteps(facts, { isIdempotent, hasRecovered })
  const done = steps.filter(({ isDone }) => isDone).length
  if (isDismissed) return <RefreshWhileVisible />
  if (done === steps.length)
    return (
      <section className={classes.complete} aria-label="First-day checklist">
        <RefreshWhileVisible />
        <details>
          <summary>
            <CheckIcon />
            First-day checklist complete
          </summary>
          <StepList steps={steps} />
        </details>
        <DismissButton path="/api/account/checklist" label="Dismiss the checklist" />
      </section>
    )
  return (
    <Panel
      id="first-day"
      title="First-day checklist"
      aside={
        <p className={classes.progress} role="status">
          {done} of {steps.length} done
        </p>
      }
    >
      <RefreshWhileVisible everyMs={LOOK_EVERY_MS} />
      <StepList steps={steps} />
    </Panel>
  )
}

function StepList({ steps }: { steps: Step[] }) {
  return (
    <ol className={classes.steps}>
      {steps.map(({ title, docs, isDone, rule }) => (
        <li key={docs} className={isDone ? `${classes.step} ${classes.done}` : classes.step}>
          <span className={classes.mark}>{isDone && <CheckIcon />}</span>
          <div>
            <p className={classes.title}>
              <a href={docs}>{title}</a>
              <span className="visually-hidden">{isDone ? ' (done)' : ' (not done)'}</span>
            </p>
            <p className={classes.rule}>{rule}</p>
          </div>
        </li>
      ))}
    </ol>
  )
}

function listSteps(
  { hasKey, hasSucceeded, lowBalanceAt }: Facts,
  { isIdempotent, hasRecovered }: { isIdempotent: boolean; hasRecovered: boolean },
): Step[] {
  return [
    {
      title: 'Create an API key',
      docs: '/docs/api-basics#authentication',
      isDone: hasKey,
      rule: 'Done when your account has a key.',
    },
    {
      title: 'Send the first request',
      docs: '/docs/quickstart',
      isDone: hasSucceeded,
      rule: (
        <>
          Done when a request returns a file, with your key or in the playground.
          {!hasSucceeded && (
            <>
              {' '}
              <a href="#first-request">Code for the request</a>
            </>
          )}
        </>
      ),
    },
    {
      title: (
        <>
          Send an <code>Idempotency-Key</code>
        </>
      ),
      docs: '/docs/idempotency',
      isDone: isIdempotent,
      rule: 'A retry with the same value costs nothing. Done when a request with your key and this header returns a file.',
    },
    {
      title: 'Handle errors',
      docs: '/docs/errors',
      isDone: hasRecovered,
      rule:
        'Done when your key gets an error, and later a file from the same endpoint. ' +
        'Sheaf can’t see your code, so also test the error codes that you expect.',
    },
    {
      title: 'Get a low-balance alert',
      docs: '/docs/pricing#low-balance-and-automatic-top-up',
      isDone: lowBalanceAt > 0,
      rule: <AlertRule lowBalanceAt={lowBalanceAt} />,
    },
  ]
}

function AlertRule({ lowBalanceAt }: { lowBalanceAt: number }) {
  const way = canSendMail(getConfig()) ? 'by email' : 'on this page, because this server sends no email'
  return (
    <>
      Done while your threshold is above 0.{' '}
      {lowBalanceAt > 0 ? `You get an alert below ${count(lowBalanceAt)} credits, ${way}. ` : 'Your alert is off. '}
      <a href="/account/credits#notice">Change the threshold</a>
    </>
  )
}

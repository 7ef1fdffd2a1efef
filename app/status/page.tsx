import type { Metadata } from 'next'
import { describeHealth } from '../../lib/health'
import { describeStatus, type State } from '../../lib/status'
import { describePage } from '../_server/page-metadata'
import { clockTime } from '../_server/dates'
import { drawIcon } from '../_ui/elements/icon'
import { CheckIcon } from '../_ui/elements/icons'
import { RefreshWhileVisible } from '../_ui/forms/refresh-while-visible'
import { SiteFrame } from '../_ui/frame/site-frame'
import classes from './status.module.css'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = describePage({
  title: 'Status',
  description: 'The state of the API right now: database, engines, browser, and running and waiting requests.',
  path: '/status',
})

const REFRESH_MS = 10_000
const WarningIcon = drawIcon(
  <>
    <path d="M12 4 2.5 20.5h19Z" />
    <path d="M12 10v5M12 17.75v.01" />
  </>,
)

const CrossIcon = drawIcon(<path d="m6 6 12 12M18 6 6 18" />)

const STATES = {
  ok: { label: 'OK', Icon: CheckIcon },
  degraded: { label: 'Degraded', Icon: WarningIcon },
  unavailable: { label: 'Unavailable', Icon: CrossIcon },
} as const

/** The state of the server. The page reads no session, so that it works without the database and is the same for all. */
export default async function StatusPage() {
  const { overall, parts, version } = describeStatus(await describeHealth())
  return (
    <SiteFrame signedIn={false}>
      {/* Unlike the readiness probe, this file is there while the database isn't. */}
      <RefreshWhileVisible everyMs={REFRESH_MS} probe="/robots.txt" />
      <div className={classes.page}>
        <h1>Status</h1>
        <p className={classes.overall} data-state={overall.state} role="status">
          <StateLabel state={overall.state} />
          <span>{overall.text}</span>
        </p>
        <dl className={classes.parts}>
          {parts.map(({ name, state, text }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <StateLabel state={state} />
                <span>{text}</span>
              </dd>
            </div>
          ))}
          <div>
            <dt>Version</dt>
            <dd>
              <span>Sheaf {version}</span>
            </dd>
          </div>
        </dl>
        <p className={classes.soft}>
          Checked at {clockTime(new Date())} UTC. With scripts enabled, this page refreshes every 10 seconds. If there
          are several servers, this page shows one of them.
        </p>
      </div>
    </SiteFrame>
  )
}

function StateLabel({ state }: { state: State }) {
  const { label, Icon } = STATES[state]
  return (
    <strong className={classes.state} data-state={state}>
      <Icon />
      {label}
    </strong>
  )
}

import { duration } from '../../_server/amounts'
import classes from './requests.module.css'

/**
 * How much of a request's duration was work on its document, as bars on the same scale and in numbers. For requests of
 * versions that didn't log phases.
 */
export function RequestDurations({ ms, engineMs }: { ms: number; engineMs: number | null }) {
  if (engineMs === null) return <p>The log has no separate duration of the work on this document.</p>
  const total = Math.max(ms, engineMs)
  const steps = [
    { name: 'Whole request', ms: total },
    { name: 'Work on the document', ms: engineMs },
    { name: 'Upload, checks, queue and download', ms: total - engineMs },
  ]
  return (
    <ul className={classes.durations}>
      {steps.map(step => (
        <li key={step.name}>
          <span>{step.name}</span>
          <span className={classes.time}>{duration(step.ms)}</span>
          <Bar share={total === 0 ? 0 : step.ms / total} />
        </li>
      ))}
    </ul>
  )
}

/** An SVG, because its size is an attribute. The security policy of the pages allows no inline styles. */
function Bar({ share }: { share: number }) {
  return (
    <svg className={classes.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect className={classes.track} width="100" height="1" />
      <rect className={classes.fill} width={Math.max(share * 100, 0.5)} height="1" />
    </svg>
  )
}

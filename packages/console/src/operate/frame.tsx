import { Link, Outlet } from '@tanstack/react-router'
import { Title } from '../controls/title.tsx'
import { useWords } from '../words/language.tsx'

const views = {
  types: '/-',
  people: '/-/people',
  webhooks: '/-/webhooks',
  queue: '/-/queue',
  audit: '/-/audit',
  health: '/-/health',
} as const

/** The frame of the views for those who run the service. */
export function Operate() {
  const { operate: words } = useWords()
  return (
    <>
      <Title>{words.title}</Title>
      <nav className="tabs" aria-label={words.title}>
        {(Object.keys(views) as (keyof typeof views)[]).map((view) => (
          <Link
            key={view}
            to={views[view]}
            activeOptions={{ exact: true, includeSearch: false }}
            activeProps={{ 'aria-current': 'page' }}
          >
            {words.tabs[view]}
          </Link>
        ))}
      </nav>
      <Outlet />
    </>
  )
}

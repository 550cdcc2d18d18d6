import { Outlet } from '@tanstack/react-router'
import { Tabs } from '../controls/tabs.tsx'
import { Title } from '../controls/title.tsx'
import { useWords } from '../words/language.tsx'

/** The frame of the views for those who run the service. */
export function Operate() {
  const { operate: words } = useWords()
  return (
    <>
      <Title>{words.title}</Title>
      <Tabs
        label={words.title}
        tabs={{
          '/-': words.tabs.types,
          '/-/people': words.tabs.people,
          '/-/webhooks': words.tabs.webhooks,
          '/-/queue': words.tabs.queue,
          '/-/audit': words.tabs.audit,
          '/-/health': words.tabs.health,
        }}
      />
      <Outlet />
    </>
  )
}

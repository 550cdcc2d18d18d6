import { crud, patchOf } from '../../crud.ts'
import { exampleGroup } from './examples.ts'
import { whole } from './inputs.ts'
import { Group, GroupInput } from './people-shapes.ts'

/** Groups (specification 2.8). */
export const groups = crud({
  path: '/api/security/groups',
  on: whole,
  one: 'a group',
  many: 'groups',
  view: 'security.groups.view',
  write: 'security.groups.update',
  output: Group,
  at: { id: exampleGroup.id },
  example: exampleGroup,
  create: {
    description: 'Nobody grants what they do not hold: a role or repository that gives more is 403.',
    input: GroupInput,
    example: { name: 'The desk', users: ['ada@example.org'] },
  },
  update: {
    withoutRoom: true,
    input: patchOf(GroupInput.shape),
    errors: ['not_found', 'name_taken', 'last_administrator', 'precondition_failed'],
    example: { description: 'Everybody at the desk' },
    output: exampleGroup,
  },
  delete: {
    summary: 'Delete a group; who was in it loses what it gave, at once',
    errors: ['not_found', 'last_administrator', 'precondition_failed'],
  },
})

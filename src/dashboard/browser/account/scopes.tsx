import { type Scope, scopes } from '../../../lib/scopes.ts'
import { usePerson } from '../kit/person.tsx'
import { settings } from '../kit/settings.ts'

const meanings: Record<Scope, string> = {
  'read:published': 'read published records',
  'read:draft': 'read drafts, too',
  'read:all-status': 'read everything, whatever its status',
  write: 'create and change records; without a read scope, only records that refer to nothing',
  delete: 'delete records',
  internal: 'do what operators do; an operator has to approve the client first',
}

/** The scopes that this account may grant. A personal token can't have `internal`. */
export const ScopeChoice = ({ without }: { without?: Scope }) => {
  const isOperator = usePerson().person?.operator
  const grantable = scopes.filter((scope) => scope !== without && (isOperator || settings.grantable.includes(scope)))
  return (
    <fieldset>
      <legend>Scopes</legend>
      {grantable.map((scope) => (
        <label key={scope} class="choice">
          <input type="checkbox" name={`scope ${scope}`} defaultChecked={scope === 'read:published'} />
          <span>
            <code>{scope}</code> <span class="faint">{meanings[scope]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** The chosen scopes as the API expects them: one text, separated by spaces. */
export const chosenScope = (values: Record<string, string>) =>
  scopes.filter((scope) => `scope ${scope}` in values).join(' ')

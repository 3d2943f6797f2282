import { lifetimes, sayDuration } from '../../../limits.ts'
import { Copyable } from '../kit/copyable.tsx'
import { sayGiven } from '../kit/format.ts'
import { ShownOnce } from '../kit/secret.tsx'
import { settings } from '../kit/settings.ts'
import { type Credential, Credentials } from './credentials.tsx'

type Client = Credential & { client_id: string; internal_approved: boolean }
type Made = Client & { client_secret: string }

const lasting = sayDuration(lifetimes.accessToken.seconds)

/** Machine clients: programs that get tokens with an id and a secret (OAuth client credentials). */
export const Clients = () => (
  <Credentials<Client, Made>
    noun="client"
    lede={`A client is a program with an id and a secret. It exchanges them for tokens that work for ${lasting} (OAuth client credentials).`}
    idOf={({ client_id }) => client_id}
    columns={[
      { title: 'Client id', cell: ({ client_id }) => <code>{client_id}</code> },
      { title: 'Scopes', cell: (client) => <Scopes {...client} /> },
    ]}
    secretOf={(made) => <MadeClient {...made} />}
    hint="What it is for, such as price-watcher."
    end={{ word: 'Delete', means: 'Its secret and all of its tokens stop working right away.' }}
  />
)

const Scopes = ({ scope, internal_approved }: Client) => (
  <>
    <code>{scope}</code>{' '}
    {scope.split(' ').includes('internal') && (
      <span class={`badge ${internal_approved ? 'good' : 'warning'}`}>
        {internal_approved ? 'approved' : 'not approved yet'}
      </span>
    )}
  </>
)

const MadeClient = ({ client_id, client_secret, name }: Made) => (
  <>
    <ShownOnce text={client_secret} label={`Client secret of ${sayGiven(name)}`} />
    <p>Its id:</p>
    <Copyable text={client_id} label="the client id" />
    <p>To get a token:</p>
    <Copyable
      text={`curl -u '${client_id}:${client_secret}' ${settings.origin}${settings.base}/oauth/token -d grant_type=client_credentials`}
      label="the command"
    />
  </>
)

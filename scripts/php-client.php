<?php

declare(strict_types=1);

/*
 * Calls each method of the hosted service's PHP client against a service, and prints what it gave. It fetches nothing: the
 * client's folder must have its vendor/ (composer install, with what it needs for development: Laravel's helpers, and its
 * packages for configuration, cache, validation and translation). It writes records, so use a service that you can throw away,
 * started with BRAND=tcapi, and a client with every scope and internal approval.
 *
 *   php scripts/php-client.php FOLDER URL CLIENT_ID CLIENT_SECRET
 *
 * Exit code 1 if a method gave something else than docs/moving.md says.
 */

use CardTechie\TradingCardApiSdk\Enums\WorkflowStatus;
use CardTechie\TradingCardApiSdk\Models;
use CardTechie\TradingCardApiSdk\Response;
use CardTechie\TradingCardApiSdk\TradingCardApi;
use Illuminate\Container\Container;
use Illuminate\Support\Facades\Facade;

[, $folder, $url, $clientId, $clientSecret] = array_pad($argv, 5, null);
if ($clientSecret === null) {
    fwrite(STDERR, "usage: php scripts/php-client.php FOLDER URL CLIENT_ID CLIENT_SECRET\n");
    exit(2);
}
require "$folder/vendor/autoload.php";

/** What the client logs: the members of answers that its own schemas refuse. */
$log = new class
{
    public array $lines = [];

    public function warning(string $message, array $context = []): void
    {
        $this->lines[] = $message.' '.json_encode($context['errors'] ?? null, JSON_UNESCAPED_SLASHES);
    }

    public function error(string $message): void
    {
        $this->lines[] = $message;
    }
};

/** The parts of Laravel that the client asks for. */
$app = new Container;
Container::setInstance($app);
Facade::setFacadeApplication($app);
$app->instance('config', new Illuminate\Config\Repository(['tradingcardapi' => [
    'url' => $url,
    'ssl_verify' => true,
    'client_id' => $clientId,
    'client_secret' => $clientSecret,
    'scope' => 'read:published read:draft read:all-status write delete internal',
    'ignore_status' => false,
    'validation' => ['enabled' => true, 'strict_mode' => false, 'log_validation_errors' => true],
]]));
$app->instance('cache', new Illuminate\Cache\Repository(new Illuminate\Cache\ArrayStore));
$translator = new Illuminate\Translation\Translator(new Illuminate\Translation\ArrayLoader, 'en');
$app->instance('validator', new Illuminate\Validation\Factory($translator, $app));
$app->instance('log', $log);
$app->singleton(TradingCardApi::class, fn () => new TradingCardApi);
$api = $app->make(TradingCardApi::class);

/** What each method gives, as the table in docs/moving.md says. */
$moving = (string) file_get_contents(__DIR__.'/../docs/moving.md');
$told = [];
preg_match_all('/^\| (`[^|]+`) +\| +(\d{3}|–|works) +\| *(.*?) *\|$/mu', $moving, $rows, PREG_SET_ORDER);
foreach ($rows as [, $names, $status]) {
    preg_match_all('/`([^`]+)`/', $names, $found);
    $told += array_fill_keys($found[1], $status);
}
if ($told === []) {
    fwrite(STDERR, "docs/moving.md has no table of methods that can be read here.\n");
    exit(2);
}

$wrong = 0;
$call = function (string $method, callable $work) use ($log, &$told, &$wrong): mixed {
    $log->lines = [];
    $expected = $told[$method] ?? 'not in the table';
    unset($told[$method]);
    $result = null;
    try {
        $result = $work();
        $given = $result === false ? '–' : 'works';
        $message = '';
    } catch (Throwable $thrown) {
        $given = (string) ($thrown->getCode() ?: 'failed');
        $message = get_class($thrown).': '.$thrown->getMessage();
    }
    $wrong += $given === $expected ? 0 : 1;
    $mark = $given === $expected ? ' ' : '!';
    echo "$mark $given\t$method".($given === $expected ? '' : "\tnot $expected\t$message").PHP_EOL;
    foreach ($log->lines as $line) {
        echo "      logged: $line".PHP_EOL;
    }

    return $result;
};

$unique = fn (string $word): string => $word.' '.bin2hex(random_bytes(4));
$check = function (bool $holds, string $what): void {
    if (! $holds) {
        throw new RuntimeException("not $what");
    }
};

/** The records made so far, by resource. */
$made = new stdClass;
$to = fn (string $type, string $id): array => ['data' => ['type' => $type, 'id' => $id]];

/** What each resource's create() gets: attributes and relationships. */
$samples = [
    'genre' => fn () => [['name' => $unique('Genre')]],
    'brand' => fn () => [['name' => $unique('Brand')]],
    'manufacturer' => fn () => [['name' => $unique('Maker')]],
    'year' => fn () => [['name' => $unique('Year')]],
    'attribute' => fn () => [['attribute' => $unique('A'), 'name' => $unique('Attribute')]],
    'player' => fn () => [['full_name' => $unique('Michael Player')]],
    'team' => fn () => [['location' => 'Chicago', 'mascot' => $unique('Bulls')]],
    'playerteam' => fn () => [['player_id' => $made->player->id, 'team_id' => $made->team->id]],
    'set' => fn () => [['name' => $unique('Set'), 'status' => 'published'], [
        'genre' => $to('genres', $made->genre->id),
        'year' => $to('years', $made->year->id),
        'brand' => $to('brands', $made->brand->id),
        'manufacturer' => $to('manufacturers', $made->manufacturer->id),
    ]],
    'card' => fn () => [['number' => '1'], [
        'set' => $to('sets', $made->set->id),
        'oncard' => ['data' => [['type' => 'player-teams', 'id' => $made->playerteam->id]]],
    ]],
    'setSource' => fn () => [['set_id' => $made->set->id, 'source_url' => 'https://example.org/list',
        'source_type' => 'checklist', 'source_name' => 'A list']],
    'objectAttribute' => fn () => [['attribute_id' => $made->attribute->id, 'attribute_value' => 'PSA 10',
        'object_type' => 'card', 'object_id' => $made->card->id]],
];
$hasAll = ['attribute', 'player', 'playerteam', 'team'];

foreach ($samples as $name => $sample) {
    $made->$name = $call("$name()->create", fn () => $api->$name()->create(...$sample()));
    $id = $made->$name?->id ?? exit(1);
    $call("$name()->get", fn () => $check($api->$name()->get($id)->id === $id, 'the record'));
    $call("$name()->list", function () use ($api, $name, $check) {
        $page = $api->$name()->list();
        $check($page->total() >= 1 && $page->perPage() === 50 && $page->currentPage() === 1, 'a page of 50');
        $check($page->count() === min(50, $page->total()), 'as many as it says');
    });
    $call("$name()->update", fn () => $api->$name()->update($id, []));
    if (in_array($name, $hasAll, true)) {
        $call("$name()->all", fn () => $check($api->$name()->all()->count() >= 1, 'records'));
    }
}
foreach (['player', 'playerteam', 'team'] as $name) {
    $call("$name()->getList", fn () => $check($api->$name()->getList(['limit' => 1])->count() === 1, 'one record'));
}
$call('setSource()->forSet', fn () => $check($api->setSource()->forSet($made->set->id)->total() === 1, 'its source'));
$sub = $api->set()->create(['name' => 'Below', 'status' => 'published', 'parent_set_id' => $made->set->id]);
$set = $api->set()->get($made->set->id, ['include' => 'genre,manufacturer,brand,year,parentset,subsets,checklist,sources']);
foreach (['genre', 'manufacturer', 'brand', 'year'] as $name) {
    $call("Set::$name", fn () => $check($set->$name()?->id === $made->$name->id, 'the one of the set'));
}
$call('Set::subsets', fn () => $check($set->subsets()->count() === 1, 'its subset'));
$call('Set::checklist', fn () => $check($set->checklist()->count() === 1, 'its card'));
$call('Set::sources', fn () => $check($set->getChecklistSource()?->id === $made->setSource->id, 'its source'));
$call('Set::parent', fn () => $check($api->set()->get($sub->id)->parent()?->id === $made->set->id, 'the set above'));
$call('year()->listParents', fn () => $check($api->year()->listParents()->total() >= 1, 'years'));
$call('year()->listChildren', fn () => $check($api->year()->listChildren($made->year->id)->total() === 0, 'no years'));
$call('set()->checklist', fn () => $check(count($api->set()->checklist($made->set->id)->checklist) === 1, 'one card'));
$call('set()->addMissingCards', fn () => $api->set()->addMissingCards($made->set->id));
$lines = ['data' => ['type' => 'checklist', 'attributes' => ['lines' => ['2,Scottie Pippen,Chicago Bulls']]]];
$call('set()->addChecklist', fn () => $api->set()->addChecklist(['json' => $lines], $made->set->id));

$picture = tempnam(sys_get_temp_dir(), 'card').'.png';
$pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
file_put_contents($picture, base64_decode($pixel));
$image = $call('cardImage()->upload', fn () => $api->cardImage()->upload($picture, $made->card->id, 'front'));
unlink($picture);
$call('cardImage()->get', fn () => $check($api->cardImage()->get($image->id)->image_type === 'front', 'a front'));
$call('cardImage()->list', fn () => $check($api->cardImage()->list()->total() >= 1, 'images'));
$call('cardImage()->update', fn () => $check($api->cardImage()->update($image->id, ['image_type' => 'back'])->image_type === 'back', 'a back'));
$call('cardImage()->getDownloadUrl', fn () => $check($api->cardImage()->getDownloadUrl($image->id) !== '', 'an address'));
$call("cardImage()->update(\$id, ['is_primary' => true])", fn () => $api->cardImage()->update($image->id, ['is_primary' => true]));
$call("cardImage()->list(['filter[card_id]' => …])", function () use ($api, $made, $image, $check) {
    $found = $api->cardImage()->list(['filter[card_id]' => $made->card->id]);
    $check($found->items()[0]->id === $image->id, 'its image');
    $check(is_string(array_column($found->items()[0]->variants, null, 'name')['small']->url), 'the address of a variant');
});
$call('CardImage::getVariantUrl', fn () => $api->cardImage()->get($image->id)->getVariantUrl('small') !== null);

$call('stats()->get', fn () => $check($api->stats()->get('cards')->model !== '', 'a model'));
$call('stats()->getCounts', fn () => $check($api->stats()->getCounts()->getByEntityType('card')?->total >= 1, 'cards'));
$call('stats()->getSnapshots', fn () => $check(is_array($api->stats()->getSnapshots()->snapshots), 'days'));
$call('stats()->getGrowth', fn () => $check($api->stats()->getGrowth('7d')->period === '7d', 'a week'));

$call("stats()->getCounts()->getByEntityType('sets')", fn () => $api->stats()->getCounts()->getByEntityType('sets') !== null);
$audit = $api->internal()->auditLog();
$call('internal()->auditLog()->createAuditEvent', fn () => $check($audit->createAuditEvent(['event_type' => 'tried'])->id !== '', 'an entry'));
$call('internal()->auditLog()->createAuditEvent, with a description', fn () => $audit->createAuditEvent(['event_type' => 'tried', 'description' => 'Done']));
$call('internal()->auditLog()->getAuditLogs', fn () => $check($audit->getAuditLogs()->perPage() === 50, 'a page'));
$flow = $api->internal()->workflow();
$call('internal()->workflow()->bulkInitializeWorkflow', function () use ($api, $flow, $made, $check) {
    $check($flow->bulkInitializeWorkflow(['set_ids' => [$made->set->id]])->initialized === 1, 'one workflow');
    foreach (range(1, 101) as $number) {
        $api->set()->create(['name' => "Draft $number"]);
    }
    $made->job = $flow->bulkInitializeWorkflow()->job_id;
    $check(is_string($made->job), 'a job');
});
$call('internal()->workflow()->getBulkInitializeStatus', fn () => $check($flow->getBulkInitializeStatus($made->job)->job_id === $made->job, 'the job'));
$call('internal()->workflow()->getForSet', fn () => $check(isset($flow->getForSet($made->set->id)->workflow), 'a workflow'));
$call('internal()->workflow()->actionableSets', fn () => $flow->actionableSets(['step' => 'discover_sources'])->sets[0]->id !== '');
$call('internal()->workflow()->getReviewQueue', fn () => ($flow->getReviewQueue('parse')->sets[0]->id ?? '') !== '');
$call('internal()->workflow()->actionableSets, without a step', fn () => $flow->actionableSets());
$call('internal()->workflow()->getReviewQueue, without a step', fn () => $flow->getReviewQueue());
$call('internal()->workflow()->getSetTodos', fn () => $flow->getSetTodos($made->set->id));
$call('internal()->workflow()->updateSetTodo', fn () => $flow->updateSetTodo($made->set->id, ['status' => WorkflowStatus::COMPLETED->value]));
$call('internal()->workflow()->flagForReview', fn () => $flow->flagForReview($made->set->id, 'odd'));
$call('internal()->workflow()->resolveReview', fn () => $flow->resolveReview($made->set->id));

$name = trim($made->player->first_name.' '.$made->player->last_name);
$call('Player::getFromApi', fn () => $check(Models\Player::getFromApi(['player' => $name])->id === $made->player->id, 'the player'));
$call('Team::getFromApi', fn () => $check(Models\Team::getFromApi(['team' => $made->team->name])->id === $made->team->id, 'the team'));
$call('Playerteam::getFromApi', fn () => $check(Models\Playerteam::getFromApi(['player' => $name, 'team' => $made->team->name])->id === $made->playerteam->id, 'the pair'));
$call('Player::getPlayerteams', fn () => $check($made->player->getPlayerteams()->count() === 1, 'one pair'));
$call('Player::getTeams', fn () => $made->player->getTeams()->isNotEmpty());
$call('Playerteam::prepare, with ids', fn () => $api->player()->all(['id' => $made->player->id]));
$card = $api->card()->get($made->card->id, ['include' => 'set,oncard']);
$call('Card::set', fn () => $card->set() !== null);
$call('Card::oncard', fn () => $card->hasOncard());
$pair = $api->playerteam()->get($made->playerteam->id, ['include' => 'player,team']);
$call('Playerteam::player', fn () => $pair->player() !== null);
$call('Playerteam::team', fn () => $pair->team() !== null);
$call('SetSource::set', fn () => $api->setSource()->get($made->setSource->id)->set() !== null);
$call('CardImage::card', fn () => $api->cardImage()->get($image->id)->card() !== null);
$call('Player::getAliases', fn () => $made->player->getAliases());
$call('Player::hasAliases', fn () => $made->player->hasAliases());
$call("player()->create([…], ['parent' => …])", fn () => $api->player()->create(['last_name' => 'Jordan'], ['parent' => $to('players', $made->player->id)]));
$call("player()->list(['sort' => …])", fn () => $api->player()->list(['sort' => 'last_name']));
$call("card()->list(['limit' => 101])", fn () => $api->card()->list(['limit' => 101]));
foreach (['name' => 'Pikachu', 'set_id' => $made->set->id, 'player_id' => $made->player->id] as $filter => $value) {
    $call("card()->list(['$filter' => …])", fn () => $api->card()->list([$filter => $value]));
    $call("card()->list(['filter[$filter]' => …])", fn () => $api->card()->list(["filter[$filter]" => $value]));
}
$call("card()->list(['filter[name]' => 'like:…'])", fn () => $api->card()->list(['filter[name]' => 'like:pika']));
$call("player()->list(['full_name' => 'like:…'])", fn () => $check(
    $api->player()->list(['full_name' => 'like:'.strtolower($made->player->last_name)])->items()[0]->id === $made->player->id, 'the player'));
$call('card()->makeRequest, with a search', fn () => $check(is_array($api->card()->makeRequest('/v2/search?'.http_build_query(
    ['q' => $made->player->last_name, 'filter[type]' => 'cards']))->data), 'cards'));
$call("set()->list(['scope' => 'all'])", fn () => $check(
    $api->set()->list(['scope' => 'all'])->total() > $api->set()->list()->total(), 'more sets'));
$call('set()->makeRequest, with a page of a checklist', fn () => $check(
    is_array($api->set()->makeRequest("/v1/sets/{$made->set->id}/checklist?per_page=100&page=1")->data->checklist), 'cards'));
$call("card()->get(\$id, ['include' => 'images'])", fn () => $api->card()->get($made->card->id, ['include' => 'images']));
foreach (['cards', 'checklist'] as $name) {
    $call("set()->get(\$id, ['include' => '$name,genre'])", fn () => $api->set()->get($made->set->id, ['include' => "$name,genre"]));
}
$call("internal()->auditLog()->getAuditLogs(['event_type' => …])", fn () => $audit->getAuditLogs(['event_type' => 'tried']));
$call('team()->makeRequest, with PATCH', function () use ($api, $made, $unique, $check) {
    $data = ['type' => 'teams', 'id' => $made->team->id, 'attributes' => ['location' => 'Chicago', 'mascot' => $unique('Bulls')]];
    $answer = $api->team()->makeRequest("/v1/teams/{$made->team->id}", 'PATCH', ['json' => ['data' => $data]]);
    $team = (new Response(json_encode($answer)))->mainObject;
    $check($team instanceof Models\Team && $team->name === "Chicago {$data['attributes']['mascot']}", 'the changed team');
});
$call('Player::getCards', fn () => $made->player->getCards());

foreach (['player', 'team'] as $name) {
    $call("$name()->listDeleted", fn () => $api->$name()->listDeleted());
    $call("$name()->deleted", fn () => $api->$name()->deleted($made->$name->id));
}
$call('genre()->listDeleted', fn () => $api->genre()->listDeleted());
$spare = $api->genre()->create(['name' => $unique('Genre')]);
$call('genre()->delete', fn () => $api->genre()->delete($spare->id));
$call('genre()->deleted', fn () => $check($api->genre()->deleted($spare->id)->deleted_at !== null, 'deleted'));
$call('cardImage()->delete', fn () => $api->cardImage()->delete($image->id));
foreach (['objectAttribute', 'setSource', 'card', 'playerteam', 'player', 'team', 'attribute'] as $name) {
    $call("$name()->delete", fn () => $api->$name()->delete($made->$name->id));
}
foreach (['brand', 'manufacturer', 'year'] as $name) {
    $spare = $api->$name()->create(['name' => $unique('Spare')]);
    $call("$name()->delete", fn () => $api->$name()->delete($spare->id));
}
$spare = $api->set()->create(['name' => $unique('Spare')]);
$call('set()->delete', fn () => $api->set()->delete($spare->id));

$call("player()->list(['filter[status]' => 'deleted'])", fn () => $check($api->player()->list(['filter[status]' => 'deleted'])->total() >= 1, 'the player'));

foreach (array_keys($told) as $method) {
    echo "! not called\t$method".PHP_EOL;
    $wrong++;
}
echo $wrong === 0 ? "Everything as docs/moving.md says.\n" : "$wrong methods differ from docs/moving.md.\n";
exit($wrong === 0 ? 0 : 1);

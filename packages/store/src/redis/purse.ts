import type { RedisCommander, Result } from 'ioredis';
import { amountsIn, idsIn } from '../arguments.ts';
import { rememberedSlots } from '../purse.ts';
import type { PurseState, PurseStep } from '../store.ts';

type PurseReply = [known: number, granted: number, spent: string, held: string, slot: number, since: string];

declare module 'ioredis' {
  interface RedisCommander<Context> {
    purse(
      key: string,
      keepMs: number,
      kind: PurseStep['kind'],
      ...step: (number | string)[]
    ): Result<PurseReply, Context>;
  }
}

/** Replicas of the release before write sums of the last two hours, by clocks that may be an hour apart. */
const hoursApart = 4;

/** The first bytes of members. */
const [reserved, done, held, within] = [...'edkw'].map((letter) => letter.charCodeAt(0));

/**
 * A hash with the members and the arithmetic of `../purse.ts`, by the server's clock. Hours that ended more than
 * `hoursApart` hours ago are in one member, `past`, and `base` includes them: every step reads all members. Settlements that
 * are done, of which each replica leaves one, are only skipped; about every hundredth step removes those that are too old.
 */
export const purse = {
  numberOfKeys: 1,
  lua: `
    local kind, time = ARGV[2], redis.call('TIME')
    local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
    local kept, passed, tidies = {}, math.floor(now / 15000), tonumber(time[2]) % 100 == 0
    local holds = {}
    local all = redis.call('HGETALL', KEYS[1])
    for at = 1, #all, 2 do
      local letter = string.byte(all[at])
      if letter == ${done} then
        if tidies and tonumber(all[at + 1]) <= passed then redis.call('HDEL', KEYS[1], all[at]) end
      elseif letter == ${reserved} and tonumber(string.sub(all[at], 2)) <= passed then redis.call('HDEL', KEYS[1], all[at])
      elseif letter == ${held} or letter == ${within} then
        local slot, id = string.match(all[at], '^.(%d+):(.*)$')
        if tonumber(slot) <= passed then redis.call('HDEL', KEYS[1], all[at])
        else
          kept[all[at]], holds[id] = tonumber(all[at + 1]), holds[id] or { k = 0, w = 0 }
          local hold, kind = holds[id], string.char(letter)
          hold[kind] = hold[kind] + kept[all[at]]
          if kind == 'k' then hold.name = all[at] end
        end
      else kept[all[at]] = tonumber(all[at + 1]) end
    end
    local function set(name, amount)
      kept[name] = amount
      if amount then redis.call('HSET', KEYS[1], name, string.format('%.0f', amount))
      else redis.call('HDEL', KEYS[1], name) end
    end
    local function add(name, amount)
      local left = (kept[name] or 0) + amount
      if left > 0 then set(name, left) else set(name, nil) end
    end
    local function sum(letter)
      local total = 0
      for name, amount in pairs(kept) do
        if string.sub(name, 1, 1) == letter then total = total + amount end
      end
      return total
    end
    local function spent()
      local known = (kept.base or 0) + sum('h')
      if not kept.recalled then return known end
      return math.max(known, (kept.ledger or 0) + (kept.added or 0) + (kept.counted or 0))
    end
    local function unused(hold) return hold and math.max(0, hold.k - hold.w) or 0 end
    local function held()
      local total = sum('e')
      for _, hold in pairs(holds) do total = total + unused(hold) end
      return total
    end
    local function change(id, kind, name, amount)
      local before = kept[name] or 0
      add(name, amount)
      holds[id] = holds[id] or { k = 0, w = 0 }
      holds[id][kind] = holds[id][kind] + (kept[name] or 0) - before
    end
    local function same(since) return since == 0 or since == kept.since end
    local granted, slot = 0, 0
    if kind == 'reserve' then
      local amount, limit, since = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
      slot = math.ceil((now + tonumber(ARGV[6])) / 15000) + 1
      local id, used = ARGV[7], spent() + sum('e')
      local beyond = math.max(0, amount - unused(holds[id]))
      local fits = used + amount <= limit and (beyond == 0 or spent() + held() + beyond <= limit)
      if same(since) and kept.base and fits then
        granted = 1
        if amount > 0 then add(string.format('e%.0f', slot), amount) end
        if amount > 0 and id ~= '' then change(id, 'w', string.format('w%.0f:', slot) .. id, amount) end
      end
    elseif kind == 'hold' then
      local amount, limit, since = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
      local id = ARGV[7]
      local hold = holds[id]
      local fits = spent() + held() - unused(hold) + math.max(0, amount - (hold and hold.w or 0)) <= limit
      if same(since) and kept.base and fits then
        granted = 1
        if hold and hold.name then change(id, 'k', hold.name, -hold.k) end
        local ends = math.ceil((now + tonumber(ARGV[6])) / 15000) + 1
        if amount > 0 then change(id, 'k', string.format('k%.0f:', ends) .. id, amount) end
      end
    elseif kind == 'settle' then
      if same(tonumber(ARGV[3])) then
        granted = 1
        local aside, done, id = 'e' .. ARGV[4], 'd' .. ARGV[8], ARGV[9]
        if redis.call('HEXISTS', KEYS[1], done) == 0 then
          if kept[aside] then add(aside, -tonumber(ARGV[5])) end
          local within, hold = 'w' .. ARGV[4] .. ':' .. id, holds[id]
          if kept[within] then change(id, 'w', within, -tonumber(ARGV[5])) end
          if hold and hold.name and tonumber(ARGV[6]) > 0 then change(id, 'k', hold.name, -tonumber(ARGV[5])) end
          if tonumber(ARGV[6]) > 0 then
            add('h' .. ARGV[7], tonumber(ARGV[6]))
            add('counted', tonumber(ARGV[6]))
          end
        end
        if ARGV[8] ~= '' then redis.call('HSET', KEYS[1], done, passed + ${rememberedSlots}) end
        for at = 10, #ARGV do redis.call('HDEL', KEYS[1], 'd' .. ARGV[at]) end
      end
    elseif kind == 'recall' then
      if kept.base then
        set('seen', math.max(tonumber(ARGV[3]), kept.seen or 0))
        add('owed', tonumber(ARGV[4]))
        local lacking = kept.seen + (kept.owed or 0) - (kept.ledger or 0) - (kept.added or 0)
        if lacking > 0 then add('added', lacking) end
        set('recalled', math.max(tonumber(ARGV[5]), kept.recalled or 0))
        for at = 6, #ARGV, 2 do add('e' .. ARGV[at], tonumber(ARGV[at + 1])) end
      end
    else
      local begins, base, from, past = not kept.base, tonumber(ARGV[3]), tonumber(ARGV[4]), {}
      for hour, amount in string.gmatch(redis.call('HGET', KEYS[1], 'past') or '', '(%d+)=(%d+)') do
        kept['h' .. hour] = (kept['h' .. hour] or 0) + tonumber(amount)
      end
      for at = 5, #ARGV, 2 do
        local name, amount = 'h' .. ARGV[at], tonumber(ARGV[at + 1])
        if amount > (kept[name] or 0) then set(name, amount) end
      end
      local all, before = {}, math.floor(now / 3600000) - ${hoursApart}
      for name in pairs(kept) do
        if string.sub(name, 1, 1) == 'h' then all[#all + 1] = name end
      end
      for _, name in ipairs(all) do
        local hour, amount = tonumber(string.sub(name, 2)), kept[name]
        local isPast = hour >= from and hour < before
        if isPast then
          base = base + amount
          past[#past + 1] = string.format('%.0f=%.0f', hour, amount)
        end
        set(name, not isPast and hour >= from and amount or nil)
      end
      redis.call('HSET', KEYS[1], 'past', table.concat(past, ' '))
      set('base', base)
      if kept.recalled and kept.recalled < from then set('recalled', nil) end
      if begins then
        set('counted', nil)
        set('ledger', spent())
      end
    end
    if kept.base and not kept.since then set('since', now) end
    redis.call('PEXPIRE', KEYS[1], ARGV[1])
    return { kept.base and 1 or 0, granted, string.format('%.0f', spent()),
      string.format('%.0f', held()), slot, string.format('%.0f', kept.base and kept.since or 0) }`,
};

/** Amounts that may exceed the integers of Lua arrive as text. */
export async function runPurse(client: RedisCommander, key: string, { step, keepMs }: KeptStep): Promise<PurseState> {
  const reply = await client.purse(key, keepMs, step.kind, ...argumentsOf(step), ...idsIn(step));
  const [known, granted, spent, held, slot, since] = reply;
  return {
    known: known === 1,
    granted: granted === 1,
    spent: Number(spent),
    held: Number(held),
    slot,
    since: Number(since),
  };
}

interface KeptStep {
  step: PurseStep;
  keepMs: number;
}

/** The arguments of a step, in the order in which the script reads them. */
const argumentsOf = (step: PurseStep): number[] =>
  'ttlMs' in step ? [...amountsIn(step), step.ttlMs] : amountsIn(step);

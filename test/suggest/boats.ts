import type { Line } from './talk.ts';

const MEMBERS = ['ana', 'bo', 'cem', 'dag', 'eva', 'fin'];
const HARBOURS = ['North Quay', 'Mill Pond', 'Old Lock', 'Reed Bay', 'East Steps', 'Long Pier'];

/** A boat hire: six members, each with boats of their own, one of which is moved, insured and paid for. */
export function boatTalk(i: number): Line[] {
  const member = `mem-${1000 + i * 37}`;
  const boats = [0, 1, 2].map((k) => ({
    boat_id: `B${i}${k}-77${k}`,
    name: `${MEMBERS[i]} ${k}`,
    berth: `Q${i}${k}5`,
  }));
  const boat = boats[i % 3] as (typeof boats)[number];
  const cover = i % 2 === 0 ? 'full_cover' : 'third_party';
  const price = 140 + i * 11;
  return [
    {
      system: 'The current time is 2026-05-04 09:00:00 UTC. A boat can be moved only by its owner. Be kind.',
    },
    {
      user: `Hi, I am ${member}. I want to relocate my boat to ${HARBOURS[i]}, with ${cover.replace('_', ' ')}.`,
    },
    {
      call: 'get_member',
      args: { member_id: member },
      gives: { member_id: member, boats, level: 'sailor', since: 2011 + i },
    },
    { agent: `That is ${price} euros for the move. Shall I go on?` },
    { user: 'yes, please' },
    {
      call: 'relocate_boat',
      args: {
        member_id: member,
        boat_id: boat.boat_id,
        harbour: HARBOURS[i] as string,
        cover,
        price,
        tax: price * 3 + 0.5,
      },
      gives: { ok: true },
    },
  ];
}

export const BOATS: readonly Line[][] = MEMBERS.map((_, i) => boatTalk(i));

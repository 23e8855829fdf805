/**
 * Transcripts for the benches: a person changes a reservation, with what the desk's tools answered. One conversation has
 * the shape of a real one (some twenty messages, 16 slots and conditions judged); ids and names vary with its number.
 */
export function bookingTranscript(conversations: number, from = 0): string {
  let text = '';
  for (let number = from; number < from + conversations; number++) {
    text += `${JSON.stringify({ task_id: number, trial: 0, traj: messages(number) })}\n`;
  }
  return text;
}

const FIRST = ['Ada', 'Ben', 'Cleo', 'Dara', 'Eli', 'Fay', 'Gus', 'Hana'];
const LAST = ['Arden', 'Blum', 'Castell', 'Dorn', 'Ellery', 'Frost', 'Grant', 'Holm'];

function code(number: number): string {
  let out = '';
  for (let index = 0, rest = number + 11_881_376; index < 6; index++) {
    out = String.fromCharCode(65 + (rest % 26)) + out;
    rest = Math.floor(rest / 26);
  }
  return out;
}

function messages(number: number): object[] {
  const first = FIRST[number % 8] as string;
  const last = LAST[Math.floor(number / 8) % 8] as string;
  const user = `${first}_${last}_${number}`.toLowerCase();
  const reservation = code(number);
  const card = `credit_card_${1_000_000 + number}`;
  const digits = String(1000 + (number % 9000));
  const [out, back] = [`FL${100 + (number % 800)}`, `FL${901 + (number % 90)}`];
  const kept = { flight_number: back, date: '2031-03-21', origin: 'YYY', destination: 'XXX', price: 120 };
  const old = { flight_number: 'FL990', date: '2031-03-14', origin: 'XXX', destination: 'YYY', price: 110 };
  const booking = {
    reservation_id: reservation,
    user_id: user,
    origin: 'XXX',
    destination: 'YYY',
    flight_type: 'round_trip',
    cabin: 'economy',
    flights: [old, kept],
    passengers: [{ first_name: first, last_name: last, dob: '1990-01-02' }],
    payment_history: [{ payment_id: card, amount: 230 }],
    created_at: '2031-03-01T10:00:00',
    total_baggages: 1,
    nonfree_baggages: 0,
    insurance: 'no',
  };
  const profile = {
    name: { first_name: first, last_name: last },
    dob: '1990-01-02',
    membership: 'regular',
    payment_methods: {
      [card]: { source: 'credit_card', brand: 'visa', last_four: digits, id: card },
      [`gift_card_${number}`]: { source: 'gift_card', amount: 40, id: `gift_card_${number}` },
    },
    reservations: [reservation],
  };
  const offers = Array.from({ length: 6 }, (_, index) => ({
    flight_number: index === 2 ? out : `FL${200 + index}`,
    origin: 'XXX',
    destination: 'YYY',
    scheduled_departure_time_est: `${10 + index}:00:00`,
    scheduled_arrival_time_est: `${12 + index}:30:00`,
    status: 'available',
    available_seats: { basic_economy: 3, economy: 9, business: 2 },
    prices: { basic_economy: 70, economy: 105 + index, business: 400 },
  }));
  const change = {
    reservation_id: reservation,
    cabin: 'economy',
    flights: [
      { flight_number: out, date: '2031-03-15' },
      { flight_number: back, date: '2031-03-21' },
    ],
    payment_id: card,
  };
  const say = (role: string, content: string) => ({ role, content });
  let calls = 0;
  const call = (name: string, args: object, result: object): object[] => {
    const id = `call_${number}_${calls++}`;
    return [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
      },
      { role: 'tool', tool_call_id: id, name, content: JSON.stringify(result) },
    ];
  };
  return [
    say(
      'system',
      'You help people with their flight reservations.\n\nThe current time is 2031-03-10 09:00:00 EST.',
    ),
    say(
      'user',
      `Hello, I would like to change the outbound flight of my reservation ${reservation}. My user id is ${user}.`,
    ),
    ...call('get_reservation_details', { reservation_id: reservation }, booking),
    say(
      'assistant',
      `I see ${reservation}: FL990 on 2031-03-14 and ${back} on 2031-03-21, economy. Which day suits you?`,
    ),
    say('user', 'One day later please, same cabin, and I pay any difference with my usual card.'),
    ...call('search_direct_flight', { origin: 'XXX', destination: 'YYY', date: '2031-03-15' }, offers),
    ...call('get_user_details', { user_id: user }, profile),
    say(
      'assistant',
      `On 2031-03-15 there are six flights. The one at noon:\n\n- **Flight ${out}** on 2031-03-15, economy, $107\n- **Flight ${back}** on 2031-03-21 stays as it is\n- Payment: credit card ending in ${digits}\n\nShall I change reservation ${reservation} so?`,
    ),
    say('user', `Yes, please. The card ending in ${digits} is right.`),
    ...call('update_reservation_flights', change, { ...booking, flights: [offers[2] as object, kept] }),
    say('assistant', 'It is changed.'),
    say('user', 'Thank you.'),
  ];
}
